/// What the evaluation of a trust found.
public enum SecTrustResultType: UInt32, Sendable {
  /// Nothing was evaluated.
  case invalid = 0
  /// Trusted, because the user says so.
  case proceed = 1
  /// Refused, because the user says so.
  case deny = 3
  /// Trusted, and nobody said anything about it.
  case unspecified = 4
  /// Not trusted, but for a reason that can be overruled.
  case recoverableTrustFailure = 5
  /// Not trusted.
  case fatalTrustFailure = 6
  /// Not evaluated, for another reason.
  case otherError = 7
}
