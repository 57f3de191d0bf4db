// SPDX-License-Identifier: MIT

/// The result of a trust's evaluation.
public enum SecTrustResultType: UInt32, Sendable {
  /// The trust has not been evaluated since it was made or changed.
  case invalid = 0
  /// Trusted, because the user said so. Never found on Linux.
  case proceed = 1
  /// Refused, because the user said so. Never found on Linux.
  case deny = 3
  /// Trusted, without an explicit setting of the user's.
  case unspecified = 4
  /// Not trusted, but for a reason that can be overruled.
  case recoverableTrustFailure = 5
  /// Not trusted, for a reason that nothing should overrule: the certificate was revoked.
  case fatalTrustFailure = 6
  /// Not evaluated, for a reason outside the certificates. Never found on Linux.
  case otherError = 7
}
