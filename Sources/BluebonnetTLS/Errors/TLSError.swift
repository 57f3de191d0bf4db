// SPDX-License-Identifier: MIT

/// A fault in a certificate, a handshake or a record, and the party that caused it.
package struct TLSError: Error, Sendable, Hashable {
  /// The kind of failure. A driver decides on this; people read `reason`.
  package enum Code: Sendable, Hashable {
    /// No agreement: version, cipher, signature, or a malformed handshake message.
    case handshakeFailed
    /// The peer answers, but not with TLS: plain HTTP, as a rule, at a wrong port.
    case notTLS
    /// The server asked for a certificate of the client's, got none, and refused.
    case clientCertificateRequired
    /// The server got a certificate of the client's and refused it; the number is the alert's description byte.
    case clientCertificateRejected(UInt8)
    /// The peer's certificate chain did not hold.
    case certificateRejected(TrustFailure)
    /// The peer sent a fatal alert (RFC 8446 §6.2); the number is the alert's description byte.
    case alert(UInt8)
    /// The transport ended without close_notify: whatever came before may be cut short (RFC 8446 §6.1).
    case truncated
    /// A record after the handshake was malformed, forged or out of order.
    case protocolViolation
    /// Bytes offered as a certificate were none.
    case invalidCertificate
    /// Bytes offered as a key were none, or belong to another certificate.
    case invalidKey
    /// The password does not open what it was given for.
    case wrongPassword
    /// A setting that cannot be met, or a call out of order.
    case invalidConfiguration
    /// OpenSSL refused something that no input should make it refuse.
    case internalFailure
  }

  /// The party that caused an error.
  package enum Fault: Sendable, Hashable {
    case peer
    case network
    case caller
    case own
  }

  package let code: Code
  /// OpenSSL's words for the cause; never contains bytes of the peer's.
  package let reason: String

  package init(_ code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  package var fault: Fault {
    switch code {
    case .handshakeFailed, .notTLS, .certificateRejected, .alert, .protocolViolation: .peer
    case .truncated: .network
    case .clientCertificateRequired, .clientCertificateRejected, .invalidCertificate, .invalidKey,
      .wrongPassword, .invalidConfiguration:
      .caller
    case .internalFailure: .own
    }
  }
}

extension TLSError: CustomStringConvertible {
  package var description: String {
    switch code {
    case .handshakeFailed: reason
    case .notTLS:
      "the server does not speak TLS at this port, but something else, such as plain HTTP (\(reason))"
    case .clientCertificateRequired: "the server requires a client certificate: \(reason)"
    case .clientCertificateRejected(let number):
      "the server refused the client certificate with TLS alert \(number): \(reason)"
    case .certificateRejected(let failure): "certificate rejected: \(failure)"
    case .alert(let number): "the server refused with TLS alert \(number): \(reason)"
    case .truncated: "the TLS connection ended without close_notify: \(reason)"
    case .protocolViolation: "TLS protocol violation: \(reason)"
    case .invalidCertificate: "invalid certificate: \(reason)"
    case .invalidKey: "invalid key: \(reason)"
    case .wrongPassword: reason
    case .invalidConfiguration: "invalid TLS configuration: \(reason)"
    case .internalFailure: "OpenSSL failed: \(reason)"
    }
  }
}
