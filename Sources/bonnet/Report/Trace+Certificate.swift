import Bluebonnet
import BluebonnetSemantics

extension Trace {
  /// The lines of `-v` about the certificate of a server, and whether it is trusted.
  func certificate(_ trust: SecTrust, _ options: SecurityOptions) {
    guard let certificate = SecTrustGetCertificateAtIndex(trust, 0) else { return }
    info("Server certificate:")
    info(" subject: \(certificate.subject)")
    info(" start date: \(Self.date(certificate.notBefore))")
    info(" expire date: \(Self.date(certificate.notAfter))")
    info(" issuer: \(certificate.issuer)")
    var error: (any Error)?
    if SecTrustEvaluateWithError(trust, &error) {
      info(" SSL certificate verify ok.")
    } else {
      let goesOn = options.acceptsAnyCertificate ? ", continuing anyway" : ""
      info(" SSL certificate verify result: \(error.map { "\($0)" } ?? "not trusted")\(goesOn).")
    }
  }

  /// As OpenSSL writes it: `Nov 22 23:40:18 2026 GMT`.
  static func date(_ date: Date) -> String {
    // Sun, 22 Nov 2026 23:40:18 GMT
    let words = HTTPDate.format(Int(date.timeIntervalSince1970)).split(separator: " ")
    guard words.count == 6 else { return "\(date)" }
    let day = words[1].hasPrefix("0") ? " \(words[1].dropFirst())" : String(words[1])
    return "\(words[2]) \(day) \(words[4]) \(words[3]) GMT"
  }
}
