import BluebonnetEventLoop

extension URLSessionConfiguration {
  /// Where a session's input, output and timers happen, one thing at a time.
  ///
  /// All sessions of the process share ``shared`` unless their configurations say otherwise, and one is enough for tens of
  /// thousands of requests per second. A loop of its own keeps a session apart from what happens on the others' loop, and
  /// lets its work go on at the same time:
  ///
  ///     let configuration = URLSessionConfiguration.default
  ///     configuration.eventLoop = URLSessionConfiguration.EventLoop(name: "bulk")
  ///
  /// Each loop has a thread, two file descriptors and receive buffers of its own (256 KiB each, made when they are needed).
  /// Its thread ends when no configuration, session or load refers to it any more. Two are equal if they are the same
  /// loop, whatever their names.
  public struct EventLoop: Sendable, Hashable {
    private let owner: Owner

    /// The process's loop; its thread starts with the first request and never ends.
    public static let shared = EventLoop(Owner(.shared, name: "bluebonnet", isShared: true))

    /// Starts another loop.
    ///
    /// If the system has no thread or descriptor left, requests on it fail with the system's error.
    ///
    /// - Parameter name: The thread's name in debuggers, of which the kernel keeps the first 15 bytes; need not be unique.
    public init(name: String) {
      owner = Owner(BluebonnetEventLoop.EventLoop(name: name), name: name, isShared: false)
    }

    private init(_ owner: Owner) { self.owner = owner }

    /// The name that it was made with; `bluebonnet` for the shared one.
    public var name: String { owner.name }

    package var loop: BluebonnetEventLoop.EventLoop { owner.loop }

    /// Equal if they are the same loop.
    public static func == (left: EventLoop, right: EventLoop) -> Bool { left.owner === right.owner }

    /// Hashes the identity of the loop.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(owner)) }

    /// Ends the loop's thread with the last reference.
    private final class Owner: Sendable {
      let loop: BluebonnetEventLoop.EventLoop
      let name: String
      private let isShared: Bool

      init(_ loop: BluebonnetEventLoop.EventLoop, name: String, isShared: Bool) {
        self.loop = loop
        self.name = name
        self.isShared = isShared
      }

      deinit { if !isShared { loop.stopLater() } }
    }
  }

  /// The loop on which the session's input, output and timers happen; ``EventLoop/shared`` by default.
  public var eventLoop: EventLoop {
    get { state.withLock { $0.eventLoop } }
    set { state.withLock { $0.eventLoop = newValue } }
  }
}

extension URLSessionConfiguration {
  /// The loop that the configuration names.
  package var loopExecutor: CallbackExecutor { .loop(values.eventLoop.loop) }
}
