import BluebonnetHTTP1

extension Cookie {
  /// Takes one `Set-Cookie` value that came from `target` (RFC 6265bis §5.6 and §5.7).
  ///
  /// Fails where the value is no cookie, or is one that `target` may not set.
  ///
  /// - Parameters:
  ///   - now: Seconds since the start of 1970.
  ///   - suffixes: Which domains belong to registries; asked only where the value names a domain.
  ///   - canonicalHost: The form of a host that the target's own is in (§5.1.2).
  package init?(
    setCookie line: Substring, from target: TargetURI, now: Double,
    suffixes: () -> PublicSuffixRules = { .builtIn }, canonicalHost: (String) throws -> String
  ) {
    // A control character could smuggle a second field into a later request.
    guard !line.utf8.contains(where: Byte.isForbiddenInValue) else { return nil }
    // Bytes decide, as they will for the server: an accent behind a semicolon makes another character of it.
    let parts = line.utf8.split(separator: Byte.semicolon, omittingEmptySubsequences: false)
    guard let pair = parts.first, let (name, value) = Self.nameAndValue(of: pair) else { return nil }
    self.init(
      name: name, value: value, domain: target.origin.host, isHostOnly: true,
      path: CookieScope.defaultPath(of: target.path))
    var attributes = CookieAttributes()
    for part in parts.dropFirst() { attributes.read(Substring(part), now: now) }
    guard attributes.apply(to: &self, from: target, suffixes: suffixes, canonicalHost) else { return nil }
  }

  /// What stands before the first semicolon; without an equals sign all of it is the value.
  private static func nameAndValue(of pair: Substring.UTF8View) -> (String, String)? {
    var name = Substring()
    var value = Substring(pair)
    if let equals = pair.firstIndex(of: Byte.equals) {
      name = Substring(pair[..<equals]).trimmingOptionalWhitespace
      value = Substring(pair[pair.index(after: equals)...])
    }
    value = value.trimmingOptionalWhitespace
    guard !name.isEmpty || !value.isEmpty, name.utf8.count + value.utf8.count <= sizeLimit else { return nil }
    return (String(name), String(value))
  }

  /// The domain that a `Set-Cookie` value states, without a dot in front; nil for none. Where it stands alone in a file,
  /// nothing else says whose it is.
  static func statedDomain(of line: Substring) -> String? {
    var attributes = CookieAttributes()
    for part in line.utf8.split(separator: Byte.semicolon, omittingEmptySubsequences: false).dropFirst() {
      attributes.read(Substring(part), now: 0)
    }
    return attributes.domain
  }

  /// Takes `Set-Cookie` lines apart that somebody has joined with commas, which dates contain as well (RFC 6265bis §3
  /// warns of it). A comma separates cookies if a name and an equals sign follow it before the next semicolon or comma.
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

  /// More than the tokens that RFC 6265bis §4.1.1 wants: servers do not keep to it.
  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(Byte.isVisible)
  }

  /// The value of `Cookie` (RFC 6265bis §5.8.3, step 4), or nil for no cookies. One without a name is its value alone.
  package static func header(of cookies: some Collection<Cookie>) -> FieldValue? {
    guard !cookies.isEmpty else { return nil }
    let texts = cookies.lazy.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }
    guard cookies.contains(where: { $0.encoding != .utf8 }) else {
      return FieldValue(texts.joined(separator: "; "))
    }
    let pairs = zip(cookies, texts).map { cookie, text in cookie.encoding.bytes(of: text) }
    return FieldValue(bytes: Array(pairs.joined(separator: "; ".utf8)))
  }
}
