import CBluebonnetOpenSSL
import Glibc

/// Times in the form of certificates, revocation lists and OCSP responses.
enum ASN1Time {
  /// In seconds since 1970; nil if it is none.
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    // Without a time OpenSSL would take the present.
    guard let time else { return nil }
    var calendar = tm()
    guard ASN1_TIME_to_tm(time, &calendar) == 1 else {
      ERR_clear_error()
      return nil
    }
    return Int64(timegm(&calendar))
  }
}
