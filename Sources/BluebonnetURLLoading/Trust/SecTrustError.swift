// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// Why a trust evaluation failed.
public struct SecTrustError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The code of the reason, such as `errSecCertificateExpired`.
  public let status: OSStatus
  /// The reason in words, such as "it has expired".
  public let reason: String
  /// OpenSSL's number of the reason, `X509_V_ERR_…`, such as 18 for a self-signed certificate; nil where another check
  /// has failed.
  public let verifyResult: Int?

  init(status: OSStatus, reason: String, verifyResult: Int? = nil) {
    self.status = status
    self.reason = reason
    self.verifyResult = verifyResult
  }

  /// Revocation could not be looked into.
  static func unchecked(_ reason: String) -> SecTrustError {
    SecTrustError(status: errSecIncompleteCertRevocationCheck, reason: reason)
  }

  init(_ failure: TrustFailure) {
    let status =
      switch failure.reason {
      case .expired: errSecCertificateExpired
      case .notYetValid: errSecCertificateNotValidYet
      case .selfSigned, .unknownIssuer, .other: errSecNotTrusted
      case .wrongHost: errSecHostNameMismatch
      case .revoked: errSecCertificateRevoked
      case .unstapled: errSecIncompleteCertRevocationCheck
      }
    self.init(status: status, reason: failure.text, verifyResult: failure.code)
  }

  /// The reason, in a sentence.
  public var description: String { "certificate not trusted: \(reason)" }

  /// The same text as `description`.
  public var errorDescription: String? { description }
}
