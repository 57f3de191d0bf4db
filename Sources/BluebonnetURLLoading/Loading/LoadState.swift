import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

/// The state of a load.
struct LoadState {
  enum Phase {
    case initial
    case loading
    /// The listener has been asked and has not answered: the body is held back.
    case deciding
    case receiving
    /// The body of this response is thrown away.
    case discarding(then: NextStep)
    /// All is there; the listener has been asked what becomes of it.
    case concluding
    case finished
  }

  /// The step after an unwanted response.
  enum NextStep {
    case send(URLRequest)
    /// The same request is sent with credentials.
    case resendWithCredentials
    /// The same with credentials for a proxy.
    case proveToProxy
    /// The same request once more, without conditions of the cache.
    case sendUnconditionally
    /// The stored response answers.
    case serve
    /// All there is to load is here without it.
    case finish
  }

  var phase = Phase.initial
  /// The listener's questions, of which the newest may be open while the phase is `deciding`.
  private var questions = LoadQuestions()
  /// Another one once a data task has become a download.
  var task: URLSessionTask
  /// The link to a WebSocket's task; nil for every other task.
  let webSocket: WebSocketLink?
  /// The engine waits for this load to end.
  var isCounted = false
  /// An error that overrides what the cancelled source will say.
  var ending: URLError?

  // MARK: The request

  var request: URLRequest
  /// The body of the last request, to be sent again.
  var body: RequestBody = .none
  /// Whether the server is asked before a body, where the caller wants that (RFC 9110 §10.1.1).
  var asksFirst = true
  /// The credentials for the present origin.
  var secrets = RequestCredentials()
  /// The request about to be sent answers a challenge, over any connection.
  var answersChallenge = false
  /// The authentication with this origin; nil for almost every load.
  var authentication: LoadAuthentication?
  /// The dealings with the proxy that the request itself goes to; nil for loads without one.
  var proxy: LoadProxy?
  var redirects: RedirectPolicy
  /// The number of times that a class of the caller's has sent the task elsewhere.
  var localRedirects = 0

  // MARK: What comes

  /// The source of the response, while there is more to come.
  var source: (any ResponseSource)?
  var response: HTTPURLResponse?
  var incoming = IncomingBody()
  /// The newest transaction, which mostly is the only one, and those before it.
  private var transaction = LoadTransaction.none
  var earlierTransactions: [URLSessionTaskTransactionMetrics] = []

  /// The request's dealings with the cache; nil until it is asked.
  var caching: LoadCaching?

  // MARK: Timers and waits

  var timers = Timers()
  /// The earliest date has passed while the task was suspended.
  var mayBegin = false
  /// The number of attempts without a way to the server.
  var failedAttempts: UInt32 = 0
  /// The machine's networks have changed since the last attempt began.
  var networkHasChanged = false

  struct Timers {
    /// The time for the whole resource is up.
    var resource: TimerToken?
    /// Ends the wait for an unwanted body.
    var discard: TimerToken?
    /// The end of a delay, or of a wait for a network.
    var pause: TimerToken?
  }

  init(_ task: URLSessionTask, redirectLimit: Int) {
    self.task = task
    webSocket = task.webSocketLink
    request = task.originalRequest ?? Self.nowhere
    redirects = RedirectPolicy(limit: redirectLimit)
  }

  /// The request of a task that was made from invalid resume data. Errors would name an address, had it one.
  private static var nowhere: URLRequest {
    var request = URLRequest(url: URL(filePath: "/"))
    request.url = nil
    return request
  }

  /// All that came is handed over, or the load has failed.
  var isOver: Bool {
    switch phase {
    case .concluding, .finished: true
    case .initial, .loading, .deciding, .receiving, .discarding: false
    }
  }

  /// Asks the listener: what comes of the response waits for the answer.
  mutating func ask(_ subject: QuestionSubject) -> LoadQuestions.Question {
    phase = .deciding
    return questions.ask(subject)
  }

  /// - Returns: Whether an answer to the question counts. It does once, and only while the load waits for it.
  mutating func take(_ question: LoadQuestions.Question) -> Bool {
    if case .deciding = phase { questions.take(question) } else { false }
  }

  /// Whether an answer to the question would count.
  func waits(for question: LoadQuestions.Question) -> Bool {
    if case .deciding = phase { questions.isOpen(question) } else { false }
  }

  /// Whether the question had no answer when the load ended.
  func endedWithout(_ question: LoadQuestions.Question) -> Bool { isOver && questions.isOpen(question) }

  mutating func add(_ transaction: consuming LoadTransaction, clock: ClockAnchor) {
    if let earlier = takeTransaction().metrics(clock: clock) { earlierTransactions.append(earlier) }
    self.transaction = transaction
  }

  /// The newest transaction; nothing is left of it.
  mutating func takeTransaction() -> LoadTransaction {
    var taken = LoadTransaction.none
    swap(&taken, &transaction)
    return taken
  }
}
