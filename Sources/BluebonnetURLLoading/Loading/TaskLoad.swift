import BluebonnetSemantics
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTransport

/// One task's way: its exchanges (one for each redirect or answered challenge) and what its listener hears.
///
///     prepared ─▶ loading ─▶ deciding ─▶ receiving ─▶ concluding ─▶ finished
///         ▲                     │ (redirect, challenge: discard the body)
///         └─────────────────────┘
///
// Unchecked: touched only while the loop is held; `prepared` is set before the loop first sees the load.
final class TaskLoad: TaskDriver, @unchecked Sendable {
  enum Phase {
    case initial
    case loading
    /// The listener has been asked and has not answered: the body is held back.
    case deciding
    case receiving
    /// What comes of this response is thrown away; then `next` is sent.
    case discarding(next: URLRequest)
    /// All is there; the listener has been asked what becomes of it.
    case concluding
    case finished
  }

  /// Another one once a data task has become a download.
  @exclusivity(unchecked) var task: URLSessionTask
  let engine: SessionEngine
  /// Who made the task and hears of it, unless the task has a delegate of its own.
  let owner: (any TaskListener)?
  // Exclusivity goes unchecked at run time, which is a tenth of a small request: only the holder of the loop gets
  // here, and what changes a member in place is a value that calls nobody back.
  @exclusivity(unchecked) var phase = Phase.initial
  /// The first request in its wire form, until it is sent.
  @exclusivity(unchecked) var prepared: PreparedRequest?
  /// The engine waits for this load to end.
  @exclusivity(unchecked) var isCounted = false
  @exclusivity(unchecked) var request: URLRequest
  @exclusivity(unchecked) var exchange: RequestDriver?
  /// What the last request's body came from, to be sent again.
  @exclusivity(unchecked) var body: RequestBody = .none
  @exclusivity(unchecked) var response: HTTPURLResponse?
  @exclusivity(unchecked) var sink = BodySink.delegate
  /// The length of the body as it is handed over, as far as it is known.
  @exclusivity(unchecked) var bodyLength = NSURLSessionTransferSizeUnknown
  @exclusivity(unchecked) var redirects: RedirectPolicy
  /// What may be shown where the load is.
  @exclusivity(unchecked) var secrets = OriginSecrets()
  /// Answers that this origin has refused, or may yet.
  @exclusivity(unchecked) var challenges = 0
  /// Why the body is held back, whichever exchange or class it comes from.
  @exclusivity(unchecked) var holds: Holds = []
  /// The newest transaction, which mostly is the only one, and those before it.
  @exclusivity(unchecked) var transaction: URLSessionTaskTransactionMetrics?
  @exclusivity(unchecked) var earlierTransactions: [URLSessionTaskTransactionMetrics] = []
  /// The moment the load was made, by both clocks.
  let clock = ClockAnchor.now(monotonic: MonotonicTime.now().nanoseconds)
  @exclusivity(unchecked) var resourceTimer: TimerToken?
  /// An error that overrides what the cancelled exchange will say.
  @exclusivity(unchecked) var ending: URLError?
  /// Body bytes handed to a queue and not yet taken there.
  @exclusivity(unchecked) var undelivered = Backlog()
  @exclusivity(unchecked) var discarded = 0
  /// Whether the server is asked before a body, where the caller wants that (RFC 9110 §10.1.1).
  @exclusivity(unchecked) var asksFirst = true
  /// Ends the patience with a body that nobody wants.
  @exclusivity(unchecked) var discardTimer: TimerToken?
  /// What came in so far, if the response may be kept.
  @exclusivity(unchecked) var copy: Data?
  /// How much of it the cache would take.
  @exclusivity(unchecked) var copyLimit = 0
  /// What a load needs that does not go straight to a server.
  @exclusivity(unchecked) var detour: Detour?

  init(_ task: URLSessionTask, engine: SessionEngine, owner: (any TaskListener)?) {
    self.task = task
    self.engine = engine
    self.owner = owner
    request = task.originalRequest ?? Self.nowhere
    redirects = RedirectPolicy(limit: engine.settings.redirectLimit)
  }

  /// What stands for the request of a task that was made from resume data. Errors would name an address, had it one.
  private static var nowhere: URLRequest {
    var request = URLRequest(url: URL(filePath: "/"))
    request.url = nil
    return request
  }

  // MARK: What the task asks for, on any thread

  func start(notBefore date: Date?) {
    if let date, date.timeIntervalSinceNow > 0 {
      return engine.loop.execute { self.wait(until: date) }
    }
    // The request is put into its wire form here, on the caller's thread; the loop only sends it. The user's storages
    // have a queue of their own.
    guard let queue = engine.storageQueue else { return prepareAndBegin() }
    queue.async { self.prepareAndBegin() }
  }

  func resume() {
    engine.loop.execute { self.goOn() }
  }

  func suspend() {
    engine.loop.execute { self.rest() }
  }

  func hold(while isHeld: @escaping @Sendable () -> Bool) {
    engine.loop.execute { self.readerChanged(isSlow: isHeld()) }
  }

  func cancel() {
    engine.loop.execute { self.endCancelled() }
  }

  /// There is nothing to go on with yet, and the caller is told so.
  func cancel(byProducingResumeData completion: @escaping @Sendable (Data?) -> Void) {
    cancel()
    task.session.userExecutor.async { completion(nil) }
  }

  private func prepareAndBegin() {
    prepared = PreparedRequest(of: task, engine.heads)
    // The load is all that is captured, which takes no allocation.
    engine.loop.execute { self.beginIfWanted() }
  }

  // MARK: In loop context

  private func beginIfWanted() {
    // Cancelled before it began.
    guard let prepared = prepared.take(), !isOver else { return }
    guard engine.begins(self) else {
      return stop(
        .loading(.cancelled, url: request.url, phase: .preparing, reason: "the session is invalidated"))
    }
    begin(prepared)
  }

  /// The load has been counted and its request is known.
  func begin(_ prepared: consuming PreparedRequest) {
    sink = BodySink(for: task)
    secrets = prepared.secrets
    if secrets.authorization != nil { hideUserInformation() }
    let seconds = engine.settings.timeoutIntervalForResource
    if let limit = Timeouts.nanoseconds(seconds) {
      // Taken back when the load ends, so it keeps nothing alive for longer.
      let start = detour == nil ? clock.monotonic : engine.loop.now.nanoseconds
      resourceTimer = engine.loop.schedule(at: MonotonicTime(nanoseconds: start &+ limit)) {
        self.resourceTimedOut()
      }
    }
    guard asksCache else { return load(prepared) }
    answerFromCache(or: prepared)
  }

  /// Nothing that is kept answers the request.
  func load(_ prepared: consuming PreparedRequest) {
    if case .streamed = task.body, case .none = prepared.body { return askForNewStream(for: request) }
    send(prepared)
  }

  /// The URL's password has become a credential: what is told of the load from here on does not show it.
  private func hideUserInformation() {
    request.url = request.url?.withoutUserInformation
    task.setCurrentRequest(request)
  }

  func send(_ prepared: consuming PreparedRequest) {
    body = prepared.body
    if case .source(let source) = body {
      // A body that is sent again is counted from its beginning.
      task.count { counts in
        counts.sent = 0
        if let length = source.length { counts.expectedToSend = Int64(length) }
      }
    }
    if let protocols = engine.protocols, protocols.areAsked { return choose(among: protocols, prepared) }
    leave(prepared)
  }

  /// No class of the caller's loads the request.
  func leave(_ prepared: consuming PreparedRequest) {
    if let local = prepared.local { return load(by: local) }
    switch prepared.result {
    case .success(let request): send(request)
    case .failure(let error): finish(error)
    }
  }

  private func send(_ request: consuming ExchangeRequest) {
    phase = .loading
    let exchange = RequestDriver(request, in: engine.pool, client: self)
    self.exchange = exchange
    exchange.start()
    exchange.hold(holds)
  }

  private func goOn() {
    let mayBegin = isSuspended && detour?.mayBegin == true
    release(.caller)
    if mayBegin { delayIsOver() }
  }

  private func rest() {
    hold(.caller)
  }

  private func endCancelled() {
    stop(.loading(.cancelled, url: request.url, phase: .cancelling, reason: ""))
  }

  /// Ends the load with an error of ours.
  func stop(_ error: URLError) {
    if case .finished = phase { return }
    ending = ending ?? error
    if let exchange { exchange.cancel() } else { finish(error) }
  }

  private func resourceTimedOut() {
    resourceTimer = nil
    stop(
      .loading(
        .timedOut, url: request.url,
        phase: exchange.map(\.phase) ?? detour?.protocolLoad?.phase ?? .preparing,
        reason: "the whole resource was allowed \(engine.settings.timeoutIntervalForResource.asSeconds) "
          + "(timeoutIntervalForResource)"))
  }

  func add(_ transaction: URLSessionTaskTransactionMetrics) {
    if let earlier = self.transaction { earlierTransactions.append(earlier) }
    self.transaction = transaction
  }
}
