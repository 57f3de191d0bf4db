import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport
import Synchronization

/// Drives the tasks of one session: a connection pool, and a load for each task.
// Unchecked: constants, and members that are touched only while the loop is held.
final class SessionEngine: TaskEngine, @unchecked Sendable {
  let settings: URLSessionConfiguration.Values
  let lane: Lane
  let loop: EventLoop
  let pool: ConnectionPool
  let heads: RequestHeads

  // The session's delegate by role. Cast once: a dynamic cast for each event would cost more than the event.
  private(set) var taskDelegate: (any URLSessionTaskDelegate)?
  private(set) var dataDelegate: (any URLSessionDataDelegate)?
  private(set) var downloadDelegate: (any URLSessionDownloadDelegate)?
  private var loads: [Int: TaskLoad] = [:]
  /// The session that waits for its last load to end before its delegate hears that it is invalid.
  private var invalidated: URLSession?
  /// The delegate has heard that the session is invalid: nothing is loaded any more.
  private var hasEnded = false

  init(
    settings: URLSessionConfiguration.Values, lane: Lane, delegate: (any URLSessionDelegate)?,
    loop: EventLoop = .shared
  ) {
    self.settings = settings
    self.lane = lane
    self.loop = loop
    pool = ConnectionPool(configuration: .init(settings), loop: loop)
    heads = RequestHeads(settings)
    taskDelegate = delegate as? any URLSessionTaskDelegate
    dataDelegate = delegate as? any URLSessionDataDelegate
    downloadDelegate = delegate as? any URLSessionDownloadDelegate
  }

  deinit {
    let pool = self.pool
    loop.execute { pool.invalidate() }
  }

  func resume(_ task: URLSessionTask) {
    let (load, isNew) = task.driver { TaskLoad(task, engine: self) }
    guard isNew else { return loop.execute { load.resume() } }
    // The request is put into its wire form here, on the caller's thread; the loop only sends it.
    let prepared = PreparedRequest(of: task, heads)
    loop.execute { self.start(load, with: prepared) }
  }

  func suspend(_ task: URLSessionTask) {
    guard let load = task.driver else { return }
    loop.execute { load.suspend() }
  }

  func cancel(_ task: URLSessionTask) {
    let (load, _) = task.driver { TaskLoad(task, engine: self) }
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
    loads[load.task.taskIdentifier] = nil
    load.task.session.forget(load.task)
    endIfInvalidated()
  }

  private func start(_ load: TaskLoad, with prepared: PreparedRequest) {
    // Cancelled before it began.
    if load.isFinished { return }
    guard !hasEnded else {
      return load.stop(
        .loading(.cancelled, url: load.request.url, phase: .preparing, reason: "the session is invalidated"))
    }
    loads[load.task.taskIdentifier] = load
    load.begin(with: prepared)
  }

  private func endIfInvalidated() {
    guard let session = invalidated, loads.isEmpty, session.unfinishedTasks.isEmpty else { return }
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
    SessionEngine(settings: settings, lane: lane, delegate: delegate)
  }
}
