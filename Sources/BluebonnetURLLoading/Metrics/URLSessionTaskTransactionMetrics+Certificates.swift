// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

// The handshake's findings about the server. Additions of this package; nothing is computed before it is asked for.
extension URLSessionTaskTransactionMetrics {
  /// The name of the group that the connection's key was agreed in, such as `x25519`; `nil` without TLS, and where no such
  /// agreement took place.
  public var negotiatedTLSGroup: String? { measured.connection.facts?.tlsGroup }

  /// Whether the connection resumed the TLS session of an earlier one. The certificates are then those that the server
  /// sent to that one.
  public var isTLSSessionResumed: Bool { measured.connection.facts?.isTLSResumed ?? false }

  /// The server's chain, its own certificate first: as verified, anchor included, if it was found good, otherwise as far
  /// as signatures lead. Empty without TLS.
  public var serverCertificates: [SecCertificate] {
    measured.connection.facts?.serverTrust?.chain.map(SecCertificate.init) ?? []
  }

  /// The certificates as the server sent them, in its order, whatever leads to an anchor. Empty without TLS.
  public var presentedServerCertificates: [SecCertificate] {
    measured.connection.facts?.serverTrust?.sent.map(SecCertificate.init) ?? []
  }

  /// The objection of the default evaluation, by the configuration's `trustAnchors`, to the server's certificates; `nil` if
  /// there is none, and without TLS. An evaluator or a delegate may have accepted them all the same.
  public var serverTrustError: SecTrustError? {
    measured.connection.facts?.serverTrust?.failure.map(SecTrustError.init)
  }

  /// The server's statement in the handshake about its certificate's status (RFC 6066 §8).
  public enum StapledOCSPResponse: Sendable, Hashable {
    /// The server was not asked: there is no TLS, or a session was resumed that no longer knows.
    case notAsked
    /// The server was asked, and sent none.
    case missing
    /// A response in DER (RFC 6960), or whatever was sent in its place. What speaks against the certificate is a
    /// `serverTrustError`; one that is of no use says nothing, unless the certificate promises one.
    case response(Data)
  }

  /// The OCSP response that the server has stapled.
  public var stapledOCSPResponse: StapledOCSPResponse {
    switch measured.connection.facts?.serverTrust?.stapled {
    case .response(let bytes)?: .response(Data(bytes))
    case .missing?: .missing
    case .notAsked?, nil: .notAsked
    }
  }
}
