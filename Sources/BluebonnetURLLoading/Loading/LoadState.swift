// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// The state of a load.
struct LoadState {
  /// The order of its work.
  var machine: LoadMachine
  var phase: LoadMachine.Phase { machine.phase }
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
  /// The request that a redirect leads to, until it is sent.
  var nextRequest: URLRequest?
  /// The listener has given it a body of its own.
  var nextHasOtherBody = false
  /// The number of redirects that were followed.
  private(set) var redirectCount = 0
  /// The credentials for the present origin.
  var credentials = RequestCredentials()
  /// The request about to be sent answers a challenge, over any connection.
  var answersChallenge = false
  /// The number of times that a class of the caller's has sent the task elsewhere.
  var localRedirects = 0

  // MARK: What comes

  /// The source of the response, while there is more to come.
  var source: (any ResponseSource)?
  var response: HTTPURLResponse?
  /// The number of bytes of its body, as they are handed over; nil if it is unknown.
  var bodyLength: Int?
  var incoming = IncomingBody()
  /// The newest transaction, which mostly is the only one, and those before it.
  private var transaction = LoadTransaction.none
  var earlierTransactions: [URLSessionTaskTransactionMetrics] = []

  // MARK: Timers and waits

  var timers = Timers()
  /// The waits for a network; nil for almost every load.
  var connectivity: ConnectivityWait?

  struct Timers {
    /// The time for the whole resource is up.
    var resource: TimerToken?
    /// Ends the wait for an unwanted body.
    var discard: TimerToken?
  }

  init(_ task: URLSessionTask, redirectLimit: Int) {
    self.task = task
    webSocket = task.webSocketLink
    request = task.originalRequest ?? Self.nowhere
    machine = LoadMachine(redirectLimit: redirectLimit)
  }

  /// The request of a task that was made from invalid resume data. Errors would name an address, had it one.
  private static var nowhere: URLRequest {
    var request = URLRequest(url: URL(filePath: "/"))
    request.url = nil
    return request
  }

  /// All that came is handed over, or the load has failed.
  // By the phase alone: a call into another module would copy the state.
  var isOver: Bool {
    switch machine.phase {
    case .concluding, .finished: true
    case .initial, .loading, .deciding, .receiving, .discarding: false
    }
  }

  /// Neither over nor about to be.
  var mayBegin: Bool { !isOver && ending == nil }

  /// Takes the request that a redirect leads to, to be sent.
  mutating func followRedirect() -> URLRequest? {
    redirectCount += 1
    return nextRequest.take()
  }

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
