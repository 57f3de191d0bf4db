// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension Cookie {
  /// Parses one `Set-Cookie` value sent by `target` (RFC 6265bis §5.6 and §5.7).
  ///
  /// Fails where the value is no cookie, or is one that `target` may not set.
  ///
  /// - Parameters:
  ///   - line: The value's bytes.
  ///   - encoding: The encoding in which name and value are read, and sent back.
  ///   - now: Seconds since the start of 1970.
  ///   - suffixes: The domains that belong to registries; asked only where the value names a domain.
  ///   - canonicalHost: Returns a host in the form of the target's own (§5.1.2).
  package init?(
    setCookie line: Span<UInt8>, _ encoding: FieldValue.Encoding = .utf8, from target: TargetURI, now: Double,
    suffixes: () -> PublicSuffixRules = { .builtIn }, canonicalHost: (String) throws -> String
  ) {
    // A control character could smuggle a second field into a later request.
    // Visible ASCII need not be looked at twice.
    for index in line.indices where line[index] &- 0x20 >= 0x5F && Byte.isForbiddenInValue(line[index]) {
      return nil
    }
    var start = line.firstSemicolon(from: 0)
    guard let (name, value) = Self.nameAndValue(of: line, 0..<start, encoding) else { return nil }
    self.init(name: name, value: value, domain: target.origin.host, isHostOnly: true, path: "")
    self.encoding = encoding
    var attributes = CookieAttributes()
    while start < line.count {
      let end = line.firstSemicolon(from: start + 1)
      attributes.read(line, (start + 1)..<end, encoding, now: now)
      start = end
    }
    guard attributes.apply(to: &self, from: target, suffixes: suffixes, canonicalHost) else { return nil }
  }

  /// Parses a value that is UTF-8.
  package init?(
    setCookie line: Substring, from target: TargetURI, now: Double,
    suffixes: () -> PublicSuffixRules = { .builtIn }, canonicalHost: (String) throws -> String
  ) {
    let bytes = Array(line.utf8)
    self.init(
      setCookie: bytes.span, from: target, now: now, suffixes: suffixes, canonicalHost: canonicalHost)
  }

  /// The part before the first semicolon. Without an equals sign all of it is the value.
  private static func nameAndValue(
    of line: Span<UInt8>, _ pair: Range<Int>, _ encoding: FieldValue.Encoding
  ) -> (String, String)? {
    let equals = line.firstEquals(in: pair)
    let name = line.trimmed(pair.lowerBound..<(equals ?? pair.lowerBound))
    let value = line.trimmed((equals.map { $0 + 1 } ?? pair.lowerBound)..<pair.upperBound)
    guard !name.isEmpty || !value.isEmpty, name.count + value.count <= sizeLimit else { return nil }
    return (line.text(name, encoding), line.text(value, encoding))
  }

  /// Whether a `Set-Cookie` value has an attribute `Domain`, or another with that beginning.
  package static func namesDomain(_ line: Span<UInt8>) -> Bool {
    let name = "domain"
    var start = line.firstSemicolon(from: 0)
    while start < line.count {
      let end = line.firstSemicolon(from: start + 1)
      let part = line.trimmed((start + 1)..<end)
      if line.equals(part.prefix(name.utf8.count), ignoringCaseOf: name) { return true }
      start = end
    }
    return false
  }

  /// The domain that a `Set-Cookie` value states, without a leading dot; nil for none. In a file of such values nothing
  /// else tells the server.
  static func statedDomain(of line: Substring) -> String? {
    let bytes = Array(line.utf8)
    var attributes = CookieAttributes()
    var start = bytes.span.firstSemicolon(from: 0)
    while start < bytes.count {
      let end = bytes.span.firstSemicolon(from: start + 1)
      attributes.read(bytes.span, (start + 1)..<end, .utf8, now: 0)
      start = end
    }
    return attributes.domain
  }

  /// Splits `Set-Cookie` lines that were joined with commas, although dates contain commas as well (RFC 6265bis §3
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
}
