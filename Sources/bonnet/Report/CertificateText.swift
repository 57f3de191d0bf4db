// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetSemantics

/// The lines of `-v` about a certificate.
enum CertificateText {
  /// The certificate of a server or a proxy, and whether it is trusted.
  static func lines(
    _ trust: SecTrust, of host: String, isProxy: Bool, acceptsAny: Bool
  ) -> [String] {
    guard let certificate = SecTrustGetCertificateAtIndex(trust, 0) else { return [] }
    var lines = [
      isProxy ? "Proxy certificate:" : "Server certificate:", " subject: \(certificate.subject)",
      " start date: \(date(certificate.notBefore))", " expire date: \(date(certificate.notAfter))",
    ]
    // With -k the host is not compared, as with curl.
    if !acceptsAny, let line = nameLine(certificate, of: host) { lines.append(" " + line) }
    lines.append(" issuer: \(certificate.issuer)")
    if let error = objection(to: trust) {
      lines.append(
        acceptsAny
          ? " SSL certificate verify result: \(error.reason), continuing anyway."
          : error.status == errSecHostNameMismatch
            ? "SSL: no alternative certificate subject name matches target host name '\(host)'"
            : "SSL certificate problem: \(error.reason)")
    } else {
      lines.append(" SSL certificate verify ok.")
    }
    return lines
  }

  /// What speaks against a chain; nil if nothing does.
  static func objection(to trust: SecTrust) -> SecTrustError? {
    var error: (any Error)?
    return SecTrustEvaluateWithError(trust, &error) ? nil : error as? SecTrustError
  }

  /// The lines of `%{certs}` about a certificate: four of curl's, and the certificate itself.
  static func details(_ certificate: SecCertificate) -> String {
    let encoded = SecCertificateCopyData(certificate)
      .base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return """
      Subject:\(certificate.subject)
      Issuer:\(certificate.issuer)
      Start date:\(date(certificate.notBefore))
      Expire date:\(date(certificate.notAfter))
      -----BEGIN CERTIFICATE-----
      \(encoded)
      -----END CERTIFICATE-----

      """
  }

  /// The name that stands for the host; nil if the certificate has none at all.
  static func nameLine(_ certificate: SecCertificate, of host: String) -> String? {
    guard !certificate.subjectAlternativeNames.isEmpty else { return nil }
    guard let name = certificate.subjectAlternativeName(matching: host) else {
      return "subjectAltName does not match \(host)"
    }
    let isAddress = name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." }
    return "subjectAltName: host \"\(host)\" matched cert's \(isAddress ? "IP address!" : "\"\(name)\"")"
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
