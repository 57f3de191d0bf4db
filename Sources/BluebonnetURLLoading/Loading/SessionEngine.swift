// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport
import Synchronization

/// Drives the tasks of one session: a connection pool, and a load for each task.
// Unchecked: constants, and members that are touched only while the loop is held.
final class SessionEngine: TaskEngine, @unchecked Sendable {
  let settings: URLSessionConfiguration.Settings
  let executor: CallbackExecutor
  let loop: EventLoop
  let pool: ConnectionPool
  let requestBuilder: RequestBuilder
  /// The time that a task may take altogether, in nanoseconds; nil for no limit.
  let resourceTimeLimit: UInt64?
  /// Bytes of a body that is gathered in memory.
  let memoryLimit: Int
  /// The queue for storages that the user has subclassed, and for the user's function for proxies; nil for almost every session.
  let storageQueue: DispatchQueue?
  /// The queue of requests waiting for their turn; nil for almost every session.
  let requests: RequestQueue?
  /// The cache; nil for a session without one.
  let cache: SessionCache?
  /// The requests that need neither a server nor the rules; nil for a session without a cache, and for some others.
  private let plainRequests: PlainRequests?
  /// Asks about revocation for evaluators.
  let revocation: RevocationService
  /// Classes of the caller's that may load instead; nil for almost every session.
  let protocols: ProtocolClasses?

  private struct State {
    /// Speaks for the session's delegate, if there is one.
    var listener: DelegateListener?
    /// Loads that have begun and not ended; each is kept by its task, and the task by its session.
    var loads = 0
    /// The session that waits for its last load to end before its delegate hears that it is invalid.
    var invalidated: URLSession?
    /// The delegate has heard that the session is invalid: nothing is loaded any more.
    var hasEnded = false
    /// The calls to be made then.
    var endWaiters: [@Sendable () -> Void] = []
    /// The loads that have had to wait for a network, and what tells of its changes meanwhile.
    var waiting: [any NetworkWaiter] = []
    var watch: NetworkWatch?
    /// The identities that the session's delegate has given for servers, for all of its requests.
    var identities: [WebOrigin: TLSIdentity] = [:]
  }

  @exclusivity(unchecked) private var state = State()
  /// Whether `state.identities` has any, for readers on other threads.
  private let hasIdentities = Atomic(false)

  var listener: DelegateListener? { state.listener }

  init(
    settings: URLSessionConfiguration.Settings, executor: CallbackExecutor,
    delegate: (any URLSessionDelegate)?,
    asksRegisteredProtocols: Bool = false
  ) {
    self.settings = settings
    self.executor = executor
    loop = settings.eventLoop.loop
    pool = ConnectionPool(configuration: .init(settings), loop: loop, ownedBy: settings.eventLoop)
    requestBuilder = RequestBuilder(settings)
    requests = RequestQueue(settings, loop: loop)
    revocation = .service(for: settings)
    cache = SessionCache(settings)
    plainRequests = PlainRequests(settings, requestBuilder, cache)
    resourceTimeLimit = Timeouts.nanoseconds(settings.timeoutIntervalForResource)
    memoryLimit = settings.responseBodyLimitInMemory ?? .max
    storageQueue =
      settings.hasUserStorages || settings.proxySelection.isFunction
      ? DispatchQueue(label: "bluebonnet.session.storages") : nil
    protocols = ProtocolClasses(settings.protocolClasses, asksRegistered: asksRegisteredProtocols)
    state.listener = DelegateListener(session: delegate, executor: executor)
  }

  deinit {
    let pool = self.pool
    loop.execute { pool.invalidate() }
  }

  /// Whether the cache's memory comes first, without protocol classes or identities that a plain request does not state.
  private var answersPlainly: Bool { !(protocols?.areAsked ?? false) && !knowsIdentities }

  func plainAnswer(to request: URLRequest) -> InMemoryResponseStore.PlainAnswer? {
    guard let plainRequests, answersPlainly else { return nil }
    return plainRequests.answer(to: request, now: loop.secondsSince1970)
  }

  func plainAnswerFromDisk(to request: URLRequest) -> InMemoryResponseStore.PlainAnswer? {
    // The holder of the loop waits for no disk.
    guard let plainRequests, answersPlainly, !loop.isHeld else { return nil }
    return plainRequests.answerFromDisk(to: request, now: loop.secondsSince1970)
  }

  func invalidate(_ session: URLSession, cancelling: Bool) {
    let unfinished = cancelling ? session.unfinishedTasks : []
    loop.execute {
      // It may have been invalidated before, in either way; its delegate hears of that once.
      if !self.state.hasEnded { self.state.invalidated = session }
    }
    for task in unfinished { task.cancel() }
    loop.execute { self.endIfInvalidated() }
  }

  func forget(_ completion: @escaping @Sendable () -> Void) {
    loop.execute { [self] in
      state.identities = [:]
      hasIdentities.store(false, ordering: .releasing)
      pool.forgetCredentials()
      pool.closeIdle()
      completion()
    }
  }

  func closeIdle(_ completion: @escaping @Sendable () -> Void) {
    loop.execute { [self] in
      pool.closeIdle()
      completion()
    }
  }

  func whenEnded(_ completion: @escaping @Sendable () -> Void) {
    loop.execute { [self] in
      if state.hasEnded { completion() } else { state.endWaiters.append(completion) }
    }
  }

  func countConnections(_ completion: @escaping @Sendable (ConnectionCounts) -> Void) {
    loop.execute { [self] in
      var counts = ConnectionCounts()
      counts.open = pool.openConnectionCount
      (counts.idle, counts.waiting) = pool.idleAndWaiting
      counts.waiting += requests?.waitingCount ?? 0
      completion(counts)
    }
  }

  /// Whether some server has been shown a certificate that counts for all requests.
  var knowsIdentities: Bool { hasIdentities.load(ordering: .acquiring) }

  /// The certificate for a server that asks for one, as far as that counts for all requests.
  func identity(for origin: WebOrigin) -> TLSIdentity? { state.identities[origin] }

  /// - Parameter identity: Nil where the server has refused it.
  func keep(_ identity: TLSIdentity?, for origin: WebOrigin) {
    state.identities[origin] = identity
    hasIdentities.store(!state.identities.isEmpty, ordering: .releasing)
  }

  /// A task's load has ended and told its listener so.
  ///
  /// - Parameter isCounted: Whether it had begun.
  func ended(_ task: URLSessionTask, isCounted: Bool) {
    cache?.ended(task)
    if isCounted { state.loads -= 1 }
    endIfInvalidated()
  }

  /// The wait for the descriptor of a task's file: for as long as its request may wait for a connection.
  func descriptorWait(for task: URLSessionTask) -> DescriptorWait {
    let request = task.originalRequest ?? URLRequest(url: URL(filePath: "/"))
    return DescriptorWait(in: pool, patience: Timeouts(request: request, settings: settings).waiting) {
      [weak task] in task?.state == .suspended
    }
  }

  /// A load waits for a network: from here to its end it is told when something has changed.
  func waitsForNetwork(_ waiter: any NetworkWaiter) {
    if !state.waiting.contains(where: { $0 === waiter }) { state.waiting.append(waiter) }
    guard state.watch == nil else { return }
    // Where the system refuses, it looks again from time to time all the same.
    state.watch = try? settings.networkWatcher(loop) { [weak self] in self?.networkHasChanged() }
  }

  func waitsNoMore(_ waiter: any NetworkWaiter) {
    state.waiting.removeAll { $0 === waiter }
    if state.waiting.isEmpty { state.watch.take()?.stop() }
  }

  private func networkHasChanged() {
    for waiter in state.waiting { waiter.networkHasChanged() }
  }

  /// Counts a task's load that begins.
  ///
  /// - Returns: false if the session is invalid, unless it was made invalid after the task was made.
  func begins(_ task: URLSessionTask) -> Bool {
    guard !state.hasEnded else { return false }
    if let session = state.invalidated, !session.unfinishedTasks.contains(task) { return false }
    state.loads += 1
    return true
  }

  /// Says goodbye to the delegate of an invalidated session when nothing is left to do.
  func endIfInvalidated() {
    guard let session = state.invalidated, state.loads == 0, session.unfinishedTasks.isEmpty else { return }
    state.invalidated = nil
    state.hasEnded = true
    pool.invalidate()
    state.listener = nil
    let waiters = state.endWaiters
    state.endWaiters = []
    for waiter in waiters { waiter() }
    let delegate = session.delegate
    executor.async {
      delegate?.urlSession(session, didBecomeInvalidWithError: nil)
      session.releaseDelegate()
    }
  }
}

/// A load's wait for a network. Told in loop context.
protocol NetworkWaiter: AnyObject {
  /// The machine's links, addresses or routes are not what they were.
  func networkHasChanged()
}

extension URLSession {
  /// The engine of a new session.
  func makeEngine() -> (any TaskEngine)? {
    SessionEngine(
      settings: settings, executor: executor, delegate: delegate,
      asksRegisteredProtocols: asksRegisteredProtocols)
  }
}
