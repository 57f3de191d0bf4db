// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLocks

/// Tells what leads from this machine to the internet, as Apple's framework Network does.
///
/// It watches the kernel's links, addresses and routes (netlink), and sends nothing.
///
///     let monitor = NWPathMonitor()
///     monitor.pathUpdateHandler = { path in print(path.status) }
///     monitor.start(queue: .main)
public final class NWPathMonitor: Sendable {
  private struct State {
    var handler: (@Sendable (NWPath) -> Void)?
    var queue: DispatchQueue?
    var watch: PathWatch?
    var path: NWPath?
    var isCancelled = false
  }

  private let question: PathQuestion
  private let state = Locked(State())

  /// A monitor of all interfaces.
  public convenience init() { self.init(PathQuestion()) }

  /// A monitor of the interfaces of one type.
  public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
    self.init(PathQuestion(rule: .required(requiredInterfaceType.kind)))
  }

  /// A monitor of the interfaces of all types but these.
  public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
    self.init(PathQuestion(rule: .prohibited(prohibitedInterfaceTypes.map(\.kind))))
  }

  private init(_ question: PathQuestion) { self.question = question }

  deinit { cancel() }

  /// Called with the path soon after ``start(queue:)``, and then whenever it has changed.
  public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
    get { state.withLock { $0.handler } }
    set {
      // What the earlier one keeps may ask the monitor at its end, so it goes when the lock is free.
      var handler = newValue
      state.withLock { swap(&$0.handler, &handler) }
    }
  }

  /// The queue on which ``pathUpdateHandler`` is called; `nil` before ``start(queue:)``.
  public var queue: DispatchQueue? { state.withLock { $0.queue } }

  /// The path that was told last; one that is not started looks now.
  public var currentPath: NWPath {
    state.withLock { $0.path } ?? NWPath(question.answerNow() ?? NetworkPath())
  }

  /// Starts, unless it has been started or cancelled before.
  ///
  /// If the system does not let this process ask (it has no descriptor left, or netlink is forbidden), the path is told to
  /// be unsatisfied, and stays so.
  ///
  /// - Parameter queue: Where ``pathUpdateHandler`` is called.
  public func start(queue: DispatchQueue) {
    let isFirst = state.withLock { state in
      guard state.queue == nil, !state.isCancelled else { return false }
      state.queue = queue
      return true
    }
    guard isFirst else { return }
    do throws(SystemError) {
      let watch = try PathWatch(question, queue: DispatchQueue(label: "bluebonnet.paths")) {
        [weak self] path in
        self?.tell(NWPath(path))
      }
      let isWanted = state.withLock { state in
        if !state.isCancelled { state.watch = watch }
        return !state.isCancelled
      }
      if !isWanted { watch.stop() }
    } catch {
      tell(NWPath(NetworkPath()))
    }
  }

  /// Ends it for good: ``pathUpdateHandler`` is not called any more.
  public func cancel() {
    let watch = state.withLock { state in
      state.isCancelled = true
      return state.watch.take()
    }
    watch?.stop()
  }

  private func tell(_ path: NWPath) {
    let queue = state.withLock { state in
      state.path = path
      return state.queue
    }
    queue?.async { [weak self] in
      guard let self, let handler = state.withLock({ $0.isCancelled ? nil : $0.handler }) else { return }
      handler(path)
    }
  }
}
