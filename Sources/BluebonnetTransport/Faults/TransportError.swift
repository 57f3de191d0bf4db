import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// Why an exchange failed, and in which phase of its life.
package struct TransportError: Error, Sendable {
  /// The phases of an exchange, in order.
  package enum Phase: String, Sendable, CaseIterable {
    case waitingForConnection = "waiting for a connection"
    case lookup = "name lookup"
    case connect = "connecting"
    case handshake = "the TLS handshake"
    case sending = "sending the request"
    case firstByte = "waiting for the response"
    case receiving = "receiving the response"
  }

  package enum Cause: Sendable {
    case unresolvedHost(String)
    case refused(SystemError)
    case network(SystemError)
    case invalidHost(String)
    case tls(TLSError)
    case untrusted(TrustFailure?)
    /// The peer closed before the first byte of a response.
    case noResponse
    /// The peer closed inside a head or body.
    case truncated
    case malformed(HTTP1Error)
    case coding(ContentCodingError)
    case timedOut
    case cancelled
    /// The caller's body stream failed, or was longer or shorter than announced.
    case bodySource(String)
    /// The caller's request cannot be put on the wire.
    case invalidRequest(HTTP1Error)
  }

  package let phase: Phase
  package let cause: Cause

  package init(_ cause: Cause, during phase: Phase) {
    self.phase = phase
    self.cause = cause
  }
}

extension TransportError: CustomStringConvertible {
  package var description: String {
    switch cause {
    case .unresolvedHost(let text): "The host could not be resolved: \(text)."
    case .refused(let error): "The server refused the connection (\(error))."
    case .network(let error): "The network failed during \(phase.rawValue) (\(error))."
    case .invalidHost(let text): "The host name is not valid: \(text)."
    case .tls(let error): "TLS failed during \(phase.rawValue): \(error)."
    case .untrusted(let failure?): "The server's certificate was rejected: \(failure)."
    case .untrusted(nil): "The server's certificate was rejected by the client's own judgement."
    case .noResponse: "The server closed the connection without a response."
    case .truncated: "The server closed the connection inside the response; it is cut short."
    case .malformed(let error): "The server's response is malformed: \(error)."
    case .coding(let error): "The response's content coding is broken: \(error)."
    case .timedOut: "The time allowed ran out during \(phase.rawValue)."
    case .cancelled: "The exchange was cancelled during \(phase.rawValue)."
    case .bodySource(let text): "The request body could not be produced: \(text)."
    case .invalidRequest(let error): "The request is not valid: \(error)."
    }
  }
}
