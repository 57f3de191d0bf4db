import CBluebonnetOpenSSL

/// When an answer holds, by what it says about its dates.
struct AnswerValidity {
  let thisUpdate: Int64
  let nextUpdate: Int64?

  /// So much clocks may differ, in seconds; as much as OpenSSL's and curl's programs allow.
  private static let skew: Int64 = 300
  /// How old an answer may be that does not say when the next one is due, in seconds: there is always a newer one (RFC
  /// 6960 §2.4), and who keeps the old one back must not do so for ever.
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
