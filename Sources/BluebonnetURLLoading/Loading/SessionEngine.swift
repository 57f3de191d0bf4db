import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

/// Drives the tasks of one session: a connection pool, and a load for each task.
// Unchecked: constants, and members that are touched only while the loop is held.
final class SessionEngine: TaskEngine, @unchecked Sendable {
  let settings: URLSessionConfiguration.Values
  let lane: Lane
  let loop: EventLoop
  let pool: ConnectionPool
  let heads: RequestHeads
  /// Classes of the caller's that may load instead; nil for almost every session.
  let protocols: ProtocolClasses?

  // The session's delegate by role. Cast once: a dynamic cast for each event would cost more than the event.
  private(set) var taskDelegate: (any URLSessionTaskDelegate)?
  private(set) var dataDelegate: (any URLSessionDataDelegate)?
  private(set) var downloadDelegate: (any URLSessionDownloadDelegate)?
  /// Loads that have begun and not ended; each is kept by its task, and the task by its session.
  @exclusivity(unchecked) private var loads = 0
  /// The session that waits for its last load to end before its delegate hears that it is invalid.
  @exclusivity(unchecked) private var invalidated: URLSession?
  /// The delegate has heard that the session is invalid: nothing is loaded any more.
  @exclusivity(unchecked) private var hasEnded = false

  init(
    settings: URLSessionConfiguration.Values, lane: Lane, delegate: (any URLSessionDelegate)?,
    asksRegisteredProtocols: Bool = false
  ) {
    self.settings = settings
    self.lane = lane
    loop = settings.eventLoop.loop
    pool = ConnectionPool(configuration: .init(settings), loop: loop)
    heads = RequestHeads(settings)
    protocols = ProtocolClasses(settings.protocolClasses, asksRegistered: asksRegisteredProtocols)
    taskDelegate = SessionChallenges.taskDelegate(for: delegate)
    dataDelegate = delegate as? any URLSessionDataDelegate
    downloadDelegate = delegate as? any URLSessionDownloadDelegate
  }

  deinit {
    let pool = self.pool
    loop.execute { pool.invalidate() }
  }

  func resume(_ task: URLSessionTask) {
    let (load, isNew, earliestBegin) = task.driver { TaskLoad(task, engine: self) }
    guard isNew else { return loop.execute { load.resume() } }
    if let earliestBegin, earliestBegin.timeIntervalSinceNow > 0 {
      return loop.execute { load.wait(until: earliestBegin) }
    }
    // The request is put into its wire form here, on the caller's thread; the loop only sends it.
    load.prepared = PreparedRequest(of: task, heads)
    // The load is all that is captured, which takes no allocation.
    loop.execute { load.start() }
  }

  func suspend(_ task: URLSessionTask) {
    guard let load = task.driver else { return }
    loop.execute { load.suspend() }
  }

  func hold(_ task: URLSessionTask, while isHeld: @escaping @Sendable () -> Bool) {
    guard let load = task.driver else { return }
    loop.execute { load.readerChanged(isSlow: isHeld()) }
  }

  func cancel(_ task: URLSessionTask) {
    let load = task.driver { TaskLoad(task, engine: self) }.load
    loop.execute { load.cancel() }
  }

  func cancel(
    _ task: URLSessionDownloadTask, byProducingResumeData completion: @escaping @Sendable (Data?) -> Void
  ) {
    guard let load = task.driver else {
      cancel(task)
      return lane.async { completion(nil) }
    }
    loop.execute { load.cancel(producingResumeData: completion) }
  }

  func invalidate(_ session: URLSession, cancelling: Bool) {
    let unfinished = cancelling ? session.unfinishedTasks : []
    loop.execute { self.invalidated = session }
    for task in unfinished { task.cancel() }
    loop.execute { self.endIfInvalidated() }
  }

  /// A load has ended and told its delegate so.
  func ended(_ load: TaskLoad) {
    if load.isCounted { loads -= 1 }
    load.task.session.forget(load.task)
    endIfInvalidated()
  }

  /// Counts a load that begins.
  ///
  /// - Returns: false if the session is invalid, so that nothing is loaded any more.
  func begins(_ load: TaskLoad) -> Bool {
    guard !hasEnded else { return false }
    load.isCounted = true
    loads += 1
    return true
  }

  /// Says goodbye to the delegate of an invalidated session when nothing is left to do.
  func endIfInvalidated() {
    guard let session = invalidated, loads == 0, session.unfinishedTasks.isEmpty else { return }
    invalidated = nil
    hasEnded = true
    pool.invalidate()
    taskDelegate = nil
    dataDelegate = nil
    downloadDelegate = nil
    let delegate = session.delegate
    lane.async {
      delegate?.urlSession(session, didBecomeInvalidWithError: nil)
      session.releaseDelegate()
    }
  }
}

extension URLSession {
  /// The engine of a new session.
  func makeEngine() -> (any TaskEngine)? {
    SessionEngine(
      settings: settings, lane: lane, delegate: delegate, asksRegisteredProtocols: asksRegisteredProtocols)
  }
}
