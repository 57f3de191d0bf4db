import BluebonnetEventLoop
import BluebonnetHTTP1

/// Everything about a connection that changes.
struct ConnectionState: ~Copyable {
  enum Phase {
    /// The TLS handshake is under way.
    case securing
    /// The handshake is done; the server's certificate awaits its verdict.
    case judging
    case open
    case closed
  }

  var phase: Phase
  /// The exchange this connection is being made for or serves; nil while idle.
  var exchange: Exchange?
  /// The next turn at reading, or at sending, is in the loop's mailbox.
  var readsLater = false
  var sendsLater = false

  // The response.
  var parser: ResponseParser
  /// Response bytes behind which more are needed before they mean something.
  var unread: [UInt8] = []
  /// How many of them, at their front, are body that the parser has seen.
  var parsedBody = 0
  var pace = ReadPace()
  var paceTimer: TimerToken?

  // The request.
  var outgoing = OutgoingBuffer()
  var framing: BodyFraming?
  var isRequestSent = true

  // The connection's life.
  var served = 0
  var facts: ConnectionFacts?
  /// By whom the server was let in, under the name that the group's endpoint has.
  var judgement: Judgement?

  init(phase: Phase, parser: ResponseParser, facts: ConnectionFacts?) {
    self.phase = phase
    self.parser = parser
    self.facts = facts
  }
}
