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

  /// The same, of a value with bytes that need not be text.
  convenience init?(setCookie line: FieldValue, from url: URL, now: Date) {
    guard let target = try? TargetURI.of(url) else { return nil }
    self.init(setCookie: line, from: target, now: now.timeIntervalSince1970)
  }

  /// - Parameter now: Seconds since 1970.
  convenience init?(setCookie line: FieldValue, from target: TargetURI, now: Double) {
    guard let cookie = Cookie(setCookie: line.bytes.span, line.encoding, from: target, now: now) else {
      return nil
    }
    self.init(cookie)
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
