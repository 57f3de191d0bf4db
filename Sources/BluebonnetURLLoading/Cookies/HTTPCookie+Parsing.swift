import BluebonnetFoundation

extension HTTPCookie {
  /// What a browser gives one cookie (RFC 6265 §6.1 asks for 4096 at least).
  static let byteLimit = 4096

  /// Takes one `Set-Cookie` value that came from `url` (RFC 6265 §5.2 and §5.3).
  ///
  /// Fails where the value is no cookie, or is one that `url` may not set.
  package convenience init?(setCookie line: String, from url: URL, now: Date = Date()) {
    guard let target = try? RequestTarget.of(url) else { return nil }
    self.init(setCookie: line[...], from: target, now: now)
  }

  package convenience init?(setCookie line: Substring, from target: RequestTarget, now: Date) {
    // A control character could smuggle a second field into a later request.
    guard line.utf8.count <= Self.byteLimit,
      !line.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
    else { return nil }
    // Bytes decide, as they will for the server: an accent behind a semicolon makes another character of it.
    let parts = line.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let name = Substring(pair[..<equals]).trimmingOptionalWhitespace
    guard !name.isEmpty else { return nil }
    var fields = Fields(
      name: String(name),
      value: String(Substring(pair[pair.index(after: equals)...]).trimmingOptionalWhitespace),
      domain: target.origin.host, isHostOnly: true, path: CookieScope.defaultPath(of: target.path))
    var attributes = CookieAttributes()
    for part in parts.dropFirst() { attributes.read(Substring(part), now: now) }
    guard attributes.apply(to: &fields, from: target) else { return nil }
    self.init(fields)
  }
}
