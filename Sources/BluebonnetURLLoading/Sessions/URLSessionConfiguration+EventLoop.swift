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

    /// Runs tasks where the loop's input and output happen, so that no other thread has to be woken between a response
    /// and the task that awaits it:
    ///
    ///     await withTaskExecutorPreference(configuration.eventLoop.taskExecutor) {
    ///       try await socket.send(.string("ping"))
    ///       let answer = try await socket.receive()
    ///     }
    ///
    /// For sequences of short steps. As long as a task runs there, nothing else happens on the loop: one that computes
    /// holds up all sessions of the loop, and one that blocks until something has come from the network waits for ever. Give
    /// such a session a loop of its own. Tasks run one at a time, on the loop's thread or on one that calls a session.
    public var taskExecutor: any TaskExecutor { owner }

    /// Equal if they are the same loop.
    public static func == (left: EventLoop, right: EventLoop) -> Bool { left.owner === right.owner }

    /// Hashes the identity of the loop.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(owner)) }

    /// Ends the loop's thread with the last reference.
    private final class Owner: TaskExecutor {
      let loop: BluebonnetEventLoop.EventLoop
      let name: String
      private let isShared: Bool

      init(_ loop: BluebonnetEventLoop.EventLoop, name: String, isShared: Bool) {
        self.loop = loop
        self.name = name
        self.isShared = isShared
      }

      deinit { if !isShared { loop.stopLater() } }

      /// Never at once, even in loop context: whoever resumes a task there has not finished yet.
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.enqueue { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
      }
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
