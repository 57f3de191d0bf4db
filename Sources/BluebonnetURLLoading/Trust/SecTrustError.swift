import BluebonnetFoundation
import BluebonnetTLS

/// Why certificates were not trusted.
public struct SecTrustError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The code.
  public let status: OSStatus
  /// In words.
  public let reason: String

  init(status: OSStatus, reason: String) {
    self.status = status
    self.reason = reason
  }

  init(_ failure: TrustFailure) {
    let status =
      switch failure.reason {
      case .expired: errSecCertificateExpired
      case .notYetValid: errSecCertificateNotValidYet
      case .selfSigned, .unknownIssuer, .other: errSecNotTrusted
      case .wrongHost: errSecHostNameMismatch
      case .revoked: errSecCertificateRevoked
      }
    self.init(status: status, reason: failure.text)
  }

  /// The reason.
  public var description: String { "certificate not trusted: \(reason)" }

  /// The reason.
  public var errorDescription: String? { description }
}
