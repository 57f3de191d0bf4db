import BluebonnetTLS

/// Why a peer's certificates were not accepted.
public struct SecTrustFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of reasons.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    case expired, notYetValid, selfSigned, unknownIssuer, wrongHost, revoked, other
  }

  /// What kind of reason it is.
  public let reason: Reason
  /// OpenSSL's verification code (`X509_V_ERR_…`).
  public let code: Int
  /// A sentence for people.
  public let description: String

  package init(_ failure: TrustFailure) {
    reason = Reason(failure.reason)
    code = failure.code
    description = failure.description
  }
}

extension SecTrustFailure.Reason {
  fileprivate init(_ reason: TrustFailure.Reason) {
    self =
      switch reason {
      case .expired: .expired
      case .notYetValid: .notYetValid
      case .selfSigned: .selfSigned
      case .unknownIssuer: .unknownIssuer
      case .wrongHost: .wrongHost
      case .revoked: .revoked
      case .other: .other
      }
  }
}
