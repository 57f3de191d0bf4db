// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The validity of an answer, by its dates.
struct AnswerValidity {
  let thisUpdate: Int64
  let nextUpdate: Int64?

  /// So much clocks may differ, in seconds; as much as OpenSSL's and curl's programs allow.
  private static let skew: Int64 = 300
  /// The age allowed for an answer without a date of the next one, in seconds: there is always a newer one (RFC
  /// 6960 §2.4), and an attacker with the old one must not use it for ever.
  private static let undatedAge: Int64 = 86_400

  init(
    from thisUpdate: UnsafePointer<ASN1_TIME>?, until nextUpdate: UnsafePointer<ASN1_TIME>?
  ) throws(RevocationFault) {
    guard let start = ASN1Time.seconds(thisUpdate) else { throw .malformed }
    self.thisUpdate = start
    guard let nextUpdate else {
      self.nextUpdate = nil
      return
    }
    guard let end = ASN1Time.seconds(nextUpdate), end >= start else { throw .malformed }
    self.nextUpdate = end
  }

  func check(at now: Int64) throws(RevocationFault) {
    if thisUpdate > now + Self.skew { throw .notYetValid }
    if (nextUpdate ?? thisUpdate + Self.undatedAge) < now - Self.skew { throw .expired }
  }
}
