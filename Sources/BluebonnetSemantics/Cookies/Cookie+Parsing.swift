import BluebonnetHTTP1

extension Cookie {
  /// What a browser gives one cookie (RFC 6265 §6.1 asks for 4096 at least).
  package static let byteLimit = 4096

  /// Takes one `Set-Cookie` value that came from `target` (RFC 6265 §5.2 and §5.3).
  ///
  /// Fails where the value is no cookie, or is one that `target` may not set.
  ///
  /// - Parameters:
  ///   - now: Seconds since the start of 1970.
  ///   - canonicalHost: The form of a host that the target's own is in (RFC 6265 §5.1.2).
  package init?(
    setCookie line: Substring, from target: TargetURI, now: Double, canonicalHost: (String) throws -> String
  ) {
    // A control character could smuggle a second field into a later request.
    guard line.utf8.count <= Self.byteLimit, !line.utf8.contains(where: Byte.isForbiddenInValue) else {
      return nil
    }
    // Bytes decide, as they will for the server: an accent behind a semicolon makes another character of it.
    let parts = line.utf8.split(separator: Byte.semicolon, omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.firstIndex(of: Byte.equals) else { return nil }
    let name = Substring(pair[..<equals]).trimmingOptionalWhitespace
    guard !name.isEmpty else { return nil }
    self.init(
      name: String(name),
      value: String(Substring(pair[pair.index(after: equals)...]).trimmingOptionalWhitespace),
      domain: target.origin.host, isHostOnly: true, path: CookieScope.defaultPath(of: target.path))
    var attributes = CookieAttributes()
    for part in parts.dropFirst() { attributes.read(Substring(part), now: now) }
    guard attributes.apply(to: &self, from: target, canonicalHost) else { return nil }
  }

  /// Takes `Set-Cookie` lines apart that somebody has joined with commas, which dates contain as well (RFC 6265 §3 warns
  /// of it). A comma separates cookies if a name and an equals sign follow it before the next semicolon or comma.
  package static func split(_ line: String) -> [Substring] {
    var result: [Substring] = []
    let bytes = line.utf8
    var start = bytes.startIndex
    var search = start
    while let comma = bytes[search...].firstIndex(of: Byte.comma) {
      let next = bytes.index(after: comma)
      let upcoming = bytes[next...].prefix { $0 != Byte.semicolon && $0 != Byte.comma }
      if let equals = upcoming.firstIndex(of: Byte.equals),
        isName(Substring(upcoming[..<equals]).trimmingOptionalWhitespace)
      {
        result.append(line[start..<comma])
        start = next
      }
      search = next
    }
    result.append(line[start...])
    return result
  }

  /// More than the tokens that RFC 6265 §4.1.1 wants: servers do not keep to it.
  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(Byte.isVisible)
  }

  /// The value of `Cookie` (RFC 6265 §4.2.1), or nil for no cookies.
  package static func header(of cookies: some Collection<Cookie>) -> String? {
    guard !cookies.isEmpty else { return nil }
    return cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }
}
