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
    var error: (any Error)?
    if SecTrustEvaluateWithError(trust, &error) {
      lines.append(" SSL certificate verify ok.")
    } else {
      let reason = (error as? SecTrustError)?.reason ?? error.map { "\($0)" } ?? "not trusted"
      let isOfOtherHost = (error as? SecTrustError)?.status == errSecHostNameMismatch
      lines.append(
        acceptsAny
          ? " SSL certificate verify result: \(reason), continuing anyway."
          : isOfOtherHost
            ? "SSL: no alternative certificate subject name matches target host name '\(host)'"
            : "SSL certificate problem: \(reason)")
    }
    return lines
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
