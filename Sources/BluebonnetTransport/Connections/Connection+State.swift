import BluebonnetEventLoop
import BluebonnetHTTP1

/// Everything about a connection that changes.
struct ConnectionState: ~Copyable {
  enum Phase {
    /// The TLS handshake is under way.
    case securing
    /// The handshake is done, or waits for what the server has asked for; the server's certificate awaits its decision.
    case evaluatingTrust
    /// The server has been let in, and is to be told as whom it is asked.
    case identifying
    case open
    case closed
  }

  var owner: any ConnectionOwner
  var phase: Phase
  /// Whom this connection is being made for or serves; nil while idle.
  var client: (any ConnectionClient)?
  /// The next turn at reading, or at sending, is in the loop's mailbox.
  var readsLater = false
  var sendsLater = false

  /// What HTTP/1.1 says: what to send, what was received, and whether another request may follow.
  var http: HTTP1Exchange

  // The response.
  /// Its head has come.
  var hasHead = false
  /// Response bytes behind which more are needed before they mean something.
  var unread: [UInt8] = []
  /// How many of them, at their front, are body that was taken and not delivered.
  var parsedBody = 0
  /// What stood in the head in front of the line that broke a rule.
  var linesBeforeFault: [UInt8] = []
  var pace = ReadPace()
  var paceTimer: TimerToken?

  // The request.
  /// Its head as it goes over this route, and its body.
  var head: [UInt8] = []
  var body = RequestBody.none
  /// The kernel has all of it, or it is given up. What a channel has taken may still wait there.
  var isRequestSent = true

  // The connection's life.
  var served = 0
  var facts: ConnectionFacts?
  /// By whom the server was let in, under the name that the route has.
  var evaluator: EvaluatorReference?
  /// Although the default verification refuses it.
  var isUnverified = false

  init(owner: any ConnectionOwner, phase: Phase, http: HTTP1Exchange, facts: ConnectionFacts?) {
    self.owner = owner
    self.phase = phase
    self.http = http
    self.facts = facts
  }

  mutating func stopServing() {
    client = nil
    head = []
    body = .none
    unread = []
    parsedBody = 0
  }
}
