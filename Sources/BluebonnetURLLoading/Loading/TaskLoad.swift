import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTransport

/// One task's way: its exchanges (one for each redirect or answered challenge) and what its delegate hears.
///
///     prepared ─▶ loading ─▶ deciding ─▶ receiving ─▶ finished
///         ▲                     │ (redirect, challenge: discard the body)
///         └─────────────────────┘
///
// Unchecked: after `init`, touched only while the loop is held.
final class TaskLoad: @unchecked Sendable {
  enum Phase {
    case initial
    case loading
    /// The delegate has been asked and has not answered: the body is held back.
    case deciding
    case receiving
    /// What comes of this response is thrown away; then `next` is sent.
    case discarding(next: URLRequest)
    case finished
  }

  let task: URLSessionTask
  let engine: SessionEngine
  var phase = Phase.initial
  var request: URLRequest
  var exchange: Exchange?
  /// What the last request's body came from, to be sent again.
  var body: RequestBody = .none
  var response: HTTPURLResponse?
  var sink = BodySink.delegate
  var redirects = RedirectPolicy()
  var challenges = 0
  var isSuspended = false
  var transactions: [URLSessionTaskTransactionMetrics] = []
  /// The moment the load was made, by both clocks.
  let clock = ClockAnchor.now(monotonic: MonotonicTime.now().nanoseconds)
  var resourceTimer: TimerToken?
  /// An error that overrides what the cancelled exchange will say.
  var ending: URLError?
  /// Body bytes handed to a queue and not yet taken there.
  var undelivered = Backlog()
  var discarded = 0
  /// What came in so far, if the response may be kept.
  var copy: Data?

  init(_ task: URLSessionTask, engine: SessionEngine) {
    self.task = task
    self.engine = engine
    request = task.originalRequest ?? URLRequest(url: URL(filePath: "/"))
  }

  var isFinished: Bool {
    if case .finished = phase { true } else { false }
  }

  func begin(with prepared: PreparedRequest) {
    sink = BodySink(for: task)
    let seconds = engine.settings.timeoutIntervalForResource
    if let limit = Timeouts.nanoseconds(seconds) {
      resourceTimer = engine.loop.schedule(at: MonotonicTime(nanoseconds: clock.monotonic &+ limit)) {
        [weak self] in
        self?.resourceTimedOut()
      }
    }
    if answersFromCache() { return }
    if case .streamed = task.body, case .none = prepared.body { return askForNewStream(for: request) }
    send(prepared)
  }

  func send(_ prepared: PreparedRequest) {
    body = prepared.body
    if case .source(let source) = body, let length = source.length {
      task.count { $0.expectedToSend = Int64(length) }
    }
    switch prepared.result {
    case .success(let request): send(request)
    case .failure(let error): finish(error)
    }
  }

  private func send(_ request: ExchangeRequest) {
    phase = .loading
    let exchange = Exchange(request, in: engine.pool, client: self)
    self.exchange = exchange
    exchange.start()
    if isSuspended { exchange.pause() }
  }

  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    releaseBody()
  }

  func suspend() {
    isSuspended = true
    exchange?.pause()
  }

  func cancel() {
    stop(.loading(.cancelled, url: request.url, phase: .cancelling, reason: "the task was cancelled"))
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
        .timedOut, url: request.url, phase: .receivingBody,
        reason: "the time allowed for the whole resource ran out"))
  }

  /// Lets the body flow if neither the caller, the delegate nor a full queue holds it back.
  func releaseBody() {
    if case .deciding = phase { return }
    guard !isSuspended, !undelivered.isFull else { return }
    exchange?.resume()
  }
}
