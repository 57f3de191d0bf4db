// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Evaluates the certificates as of a moment, in place of the time of the evaluation. An earlier result is forgotten.
///
/// - Parameters:
///   - trust: The trust.
///   - verifyDate: The moment at which they have to be valid.
/// - Returns: `errSecSuccess`, or `errSecParam` for a moment that no calendar has.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: Date) -> OSStatus {
  let seconds = verifyDate.timeIntervalSince1970.rounded(.down)
  // The years that certificates can be from and to (RFC 5280 §4.1.2.5), and then some.
  guard abs(seconds) < 1e12 else { return errSecParam }
  trust.change { $0.verifyTime = Int64(seconds) }
  return errSecSuccess
}

/// Evaluates a trust by its policies and anchors.
///
/// - Parameters:
///   - trust: The trust to evaluate. Blocks the calling thread.
///   - result: Set to `.unspecified` if the certificates are trusted, and to one of the failures if not.
/// - Returns: `errSecSuccess`, whatever the result.
@available(*, deprecated, renamed: "SecTrustEvaluateWithError")
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: inout SecTrustResultType) -> OSStatus {
  try? trust.evaluate()
  result = trust.result
  return errSecSuccess
}

/// The result of a trust's latest evaluation. Nothing is evaluated.
///
/// - Parameters:
///   - trust: The trust.
///   - result: Set to the result; `.invalid` if policies, anchors or the date were changed since, or nothing was
///     evaluated at all.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustGetTrustResult(_ trust: SecTrust, _ result: inout SecTrustResultType) -> OSStatus {
  result = trust.result
  return errSecSuccess
}

/// The public key of the server's own certificate.
@available(*, deprecated, renamed: "SecTrustCopyKey")
@discardableResult
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }
