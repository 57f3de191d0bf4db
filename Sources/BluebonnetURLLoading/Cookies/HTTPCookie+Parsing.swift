import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics

extension HTTPCookie {
  /// Takes one `Set-Cookie` value that came from `url` (RFC 6265bis §5.6 and §5.7). An addition of this package.
  ///
  /// Fails where the value is no cookie, or is one that `url` may not set.
  public convenience init?(setCookie line: String, from url: URL, now: Date = Date()) {
    self.init(setCookie: FieldValue(line), from: url, now: now)
  }

  /// The same, of a value whose bytes need not be text.
  convenience init?(setCookie line: FieldValue, from url: URL, now: Date) {
    guard let target = try? TargetURI.of(url) else { return nil }
    self.init(setCookie: line.text[...], line.encoding, from: target, now: now)
  }

  convenience init?(
    setCookie line: Substring, _ encoding: FieldValue.Encoding = .utf8, from target: TargetURI, now: Date
  ) {
    guard
      var cookie = Cookie(
        setCookie: line, from: target, now: now.timeIntervalSince1970,
        suffixes: { PublicSuffixList.inUse.rules }, canonicalHost: HostName.canonical)
    else { return nil }
    cookie.encoding = encoding
    self.init(cookie)
  }
}
