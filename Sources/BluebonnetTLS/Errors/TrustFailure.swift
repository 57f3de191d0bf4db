// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// Why a certificate chain was not accepted.
package struct TrustFailure: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    case expired
    case notYetValid
    /// A lone certificate that vouches for itself.
    case selfSigned
    /// The chain ends at an issuer that is not among the anchors.
    case unknownIssuer
    /// The certificate is for other names, or for other addresses.
    case wrongHost
    case revoked
    /// It promises a stapled OCSP response (RFC 7633), and there is none that says good.
    case unstapled
    case other
  }

  package let reason: Reason
  /// OpenSSL's `X509_V_ERR_…` number.
  package let code: Int
  /// OpenSSL's words for it.
  package let text: String

  /// `nil` if the code says that the chain is good.
  init?(code: Int) {
    guard code != Int(X509_V_OK) else { return nil }
    self.code = code
    self.reason = Reason(code: Int32(truncatingIfNeeded: code))
    self.text = X509_verify_cert_error_string(code).map { String(cString: $0) } ?? "unknown"
  }
}

extension TrustFailure: CustomStringConvertible {
  package var description: String { text }
}

extension TrustFailure.Reason {
  init(code: Int32) {
    switch code {
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: self = .selfSigned
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
      X509_V_ERR_CERT_UNTRUSTED:
      self = .unknownIssuer
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .wrongHost
    case X509_V_ERR_CERT_REVOKED: self = .revoked
    default: self = .other
    }
  }
}
