import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetWebSocket

/// Why an exchange failed, and in which phase of its life.
package struct TransportError: Error, Sendable {
  package typealias Phase = LoadingPhase

  package enum Cause: Sendable {
    /// The caller's host or socket path cannot name anything.
    case invalidHost(InvalidHost)
    case unresolvedHost(LookupFailure)
    /// No address of the host could be connected to.
    case unconnected(ConnectError)
    case network(SystemError)
    case tls(TLSError)
    case untrusted(TrustFailure?)
    /// The peer closed before the first byte of a response.
    case noResponse
    /// The peer closed inside a head or body: which and where, unless it was TLS that noticed.
    case truncated(HTTP1Error?)
    case malformed(HTTP1Error)
    /// The peer's first bytes were a TLS alert, where a response in plain HTTP was to come.
    case securePort(HTTP1Error)
    case coding(ContentCodingError)
    /// The peer does not speak WebSocket as it should, or the caller asks for what must not be sent.
    case webSocket(WebSocketError)
    case timedOut
    case cancelled
    /// The caller's body failed, perhaps with an error of the caller's, or was longer or shorter than announced.
    case bodySource(String, cause: (any Error)? = nil)
    /// The caller's request cannot be put on the wire.
    case invalidRequest(HTTP1Error)
  }

  package let phase: Phase
  package let cause: Cause
  /// The limit that a time-out has run into, in seconds; nil for other causes.
  package let seconds: Double?
  /// What a request waited for that did not get a connection in time.
  package let congestion: Congestion?
  /// What stood in the way of sending the request once more, where only its body did (``BodySource/replayObstacle``).
  package let replayObstacle: String?
  /// Of a time-out: all that the request's body had given was sent, and it gave no more.
  package let awaitedBody: Bool
  /// What had come of the response's head, up to the line that broke a rule; empty for other causes.
  package let linesBeforeFault: [UInt8]

  package init(
    _ cause: Cause, during phase: Phase, seconds: Double? = nil, congestion: Congestion? = nil,
    replayObstacle: String? = nil, awaitedBody: Bool = false, linesBeforeFault: [UInt8] = []
  ) {
    self.linesBeforeFault = linesBeforeFault
    self.awaitedBody = awaitedBody
    self.phase = phase
    self.cause = cause
    self.seconds = seconds
    self.congestion = congestion
    self.replayObstacle = replayObstacle
  }
}

extension TransportError: CustomStringConvertible {
  /// The cause in words. Whoever shows them says in which phase it was, so they don't.
  package var description: String {
    guard let replayObstacle else { return causeInWords }
    return "\(causeInWords), and the body cannot be sent again: \(replayObstacle)"
  }

  private var causeInWords: String {
    switch cause {
    case .unresolvedHost(let failure): "\(failure.host): \(failure.reason)"
    case .unconnected(let error): error.description
    case .network(let error): error.reason
    case .invalidHost(let reason): "the host cannot be one: \(reason)"
    case .tls(let error): "\(error)"
    case .untrusted(let failure?): "the server's certificate was rejected: \(failure)"
    case .untrusted(nil): "the server's certificate was rejected by the client"
    case .noResponse, .truncated: "the server closed the connection"
    case .malformed(let error): "it breaks the rules of HTTP/1.1: \(error.words)"
    case .securePort: "the server answered in TLS; this port seems to be for https"
    case .coding(let error): "\(error)"
    case .webSocket(let error): error.words
    case .timedOut: congestion.map { "\($0)" } ?? "it took too long"
    case .cancelled: "it was cancelled"
    case .bodySource(let text, _): "the request's body could not be read: \(text)"
    case .invalidRequest(let error): "it cannot be written in HTTP/1.1: \(error.words)"
    }
  }
}

extension HTTP1Error {
  /// The rule, where it was broken, and where it is written.
  fileprivate var words: String {
    let place = fault == .peer ? "byte \(offset), " : ""
    return "\(rule.description) (\(place)\(rule.section))"
  }
}

extension WebSocketError {
  /// What was wrong, and where that is written.
  fileprivate var words: String {
    switch rule {
    case .truncated: "the server closed the connection without a Close (\(rule.section))"
    case .closed: "the connection is closed (\(rule.section))"
    case .notSwitching(let status):
      "the server does not open a WebSocket here: it answered with status \(status)"
    default:
      switch fault {
      case .peer: "the server breaks the rules of WebSocket: \(rule) (\(rule.section))"
      case .caller: "it must not be sent: \(rule) (\(rule.section))"
      case .local: "\(rule) (\(rule.section))"
      }
    }
  }
}
