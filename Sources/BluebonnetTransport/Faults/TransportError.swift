// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetProxies
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
    /// The peer does not speak WebSocket as it should, or the caller asks for a message that must not be sent.
    case webSocket(WebSocketError)
    /// The proxy answers CONNECT by another status than 2xx (RFC 9110 §9.3.6).
    case proxyRefused(status: Int, reason: String)
    /// The proxy does not connect, or speaks no SOCKS.
    case socks(SOCKSError)
    /// Authentication with the proxy failed, or the proxy could not authenticate itself.
    case authentication(String)
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
  /// The reason why the request did not get a connection in time.
  package let congestion: Congestion?
  /// The reason why the request could not be sent once more, where only its body stood in the way (``BodySource/replayObstacle``).
  package let replayObstacle: String?
  /// Of a time-out: all that the request's body had given was sent, and it gave no more.
  package let awaitedBody: Bool
  /// Whether it was the proxy that failed, refused or was not to be reached, rather than the origin.
  package let isOfProxy: Bool
  /// The received part of the response's head, up to the line that broke a rule; empty for other causes.
  package let linesBeforeFault: [UInt8]

  package init(
    _ cause: Cause, during phase: Phase, seconds: Double? = nil, congestion: Congestion? = nil,
    replayObstacle: String? = nil, awaitedBody: Bool = false, isOfProxy: Bool = false,
    linesBeforeFault: [UInt8] = []
  ) {
    self.isOfProxy = isOfProxy
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
  /// The cause in words. The text around it names the phase, so this does not.
  package var description: String {
    guard let replayObstacle else { return causeInWords }
    return "\(causeInWords), and the body cannot be sent again: \(replayObstacle)"
  }

  /// The name of the peer.
  private var peer: String { isOfProxy ? "the proxy" : "the server" }

  private var causeInWords: String {
    let isProxy = isOfProxy ? "the proxy " : ""
    return switch cause {
    case .unresolvedHost(let failure): "\(isProxy)\(failure.host): \(failure.reason)"
    case .unconnected(let error): "\(isProxy)\(error.description)"
    case .network(let error): isOfProxy ? "the connection to the proxy: \(error.reason)" : error.reason
    case .invalidHost(let reason): "the \(isOfProxy ? "proxy's " : "")host cannot be one: \(reason)"
    case .tls(let error): isOfProxy ? "TLS with the proxy: \(error)" : "\(error)"
    case .untrusted(let failure?): "\(peer)'s certificate was rejected: \(failure)"
    case .untrusted(nil): "\(peer)'s certificate was rejected by the client"
    case .noResponse, .truncated: "\(peer) closed the connection"
    case .malformed(let error):
      isOfProxy
        ? "the proxy's answer breaks the rules of HTTP/1.1: \(error.words)"
        : "it breaks the rules of HTTP/1.1: \(error.words)"
    case .securePort: "\(peer) answered in TLS; \(isOfProxy ? "its" : "this") port seems to be for https"
    case .coding(let error): "\(error)"
    case .webSocket(let error): error.words
    case .proxyRefused(407, _):
      "the proxy requires authentication, and no acceptable credentials were given (status 407)"
    case .proxyRefused(let status, let reason):
      "the proxy refused to connect: it answered with status \(status)\(reason.isEmpty ? "" : " \(reason)")"
    case .socks(let error): "the SOCKS proxy does not connect: \(error)"
    case .authentication(let words): "authentication with \(peer) failed: \(words)"
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
  /// The fault, and where its rule is written.
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
