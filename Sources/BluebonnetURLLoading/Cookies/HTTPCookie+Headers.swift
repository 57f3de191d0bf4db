// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics

extension HTTPCookie {
  /// Takes one `Set-Cookie` value that came from `url` (RFC 6265bis §5.6 and §5.7). An addition of this package.
  ///
  /// Fails where the value is no cookie, or is one that `url` may not set.
  public convenience init?(setCookie line: String, from url: URL, now: Date = Date()) {
    guard let target = try? TargetURI.of(url) else { return nil }
    self.init(setCookie: FieldValue(line), from: target, now: now.timeIntervalSince1970)
  }

  /// - Parameter now: Seconds since 1970.
  private convenience init?(setCookie line: FieldValue, from target: TargetURI, now: Double) {
    guard let cookie = Cookie(setCookie: line.bytes.span, line.encoding, from: target, now: now) else {
      return nil
    }
    self.init(cookie)
  }

  /// The cookies of a response's fields, as far as `url` may set them.
  public class func cookies(withResponseHeaderFields headerFields: [String: String], for url: URL)
    -> [HTTPCookie]
  {
    guard let line = headerFields.first(where: { $0.key.equalsIgnoringASCIICase("Set-Cookie") })?.value,
      let target = try? TargetURI.of(url)
    else { return [] }
    let now = Date().timeIntervalSince1970
    return Cookie.split(line).compactMap {
      HTTPCookie(setCookie: FieldValue(String($0)), from: target, now: now)
    }
  }

  /// The `Cookie` field with these cookies, in their order; no field for none (RFC 6265bis §4.2). It is not checked where
  /// they may be sent.
  public class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
    header(of: cookies).map { ["Cookie": $0.text] } ?? [:]
  }

  /// The value of `Cookie` (RFC 6265bis §5.8.3), or `nil` for no cookies.
  package static func header(of cookies: [HTTPCookie]) -> FieldValue? {
    Cookie.header(of: cookies.map(\.cookie))
  }
}

extension Cookie {
  /// - Parameter now: Seconds since 1970.
  init?(setCookie line: Span<UInt8>, _ encoding: FieldValue.Encoding, from target: TargetURI, now: Double) {
    self.init(
      setCookie: line, encoding, from: target, now: now,
      suffixes: { PublicSuffixList.inUse.rules }, canonicalHost: HostName.canonical)
  }
}
