// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The attributes after the first semicolon of a `Set-Cookie` (RFC 6265bis §5.6.1 to §5.6.7). The last one of a name wins.
struct CookieAttributes {
  /// Longer values are passed over, as if the attribute were not there (§5.6, step 6 for attributes).
  private static let valueLimit = 1024
  /// The longest life of a cookie, in seconds: 400 days (§5.5).
  private static let ageLimit = 400 * 86400

  private var expires: Double?
  private var maximumAge: Double?
  /// As it was stated, but for one dot in front.
  private(set) var domain: String?
  /// The last `Path`; its value is nil where that was no path.
  private var path: String??
  private var isSecure = false
  private var isHTTPOnly = false
  private var sameSite: String?

  /// Reads the part of a value between two semicolons.
  mutating func read(
    _ line: Span<UInt8>, _ part: Range<Int>, _ encoding: FieldValue.Encoding, now: Double
  ) {
    let equals = line.firstEquals(in: part)
    let name = line.trimmed(part.lowerBound..<(equals ?? part.upperBound))
    let value = line.trimmed((equals.map { $0 + 1 } ?? part.upperBound)..<part.upperBound)
    guard value.count <= Self.valueLimit else { return }
    // Few lengths are those of known names.
    switch name.count {
    case 4 where line.equals(name, ignoringCaseOf: "path"):
      let isPath = !value.isEmpty && line[value.lowerBound] == Byte.slash
      path = .some(isPath ? line.text(value, encoding) : nil)
    case 6 where line.equals(name, ignoringCaseOf: "secure"): isSecure = true
    case 6 where line.equals(name, ignoringCaseOf: "domain"):
      let hasDot = !value.isEmpty && line[value.lowerBound] == Byte.dot
      domain = line.text(hasDot ? value.dropFirst() : value, encoding)
    case 7 where line.equals(name, ignoringCaseOf: "max-age"):
      maximumAge = Self.date(afterSeconds: line, value, now: now) ?? maximumAge
    case 7 where line.equals(name, ignoringCaseOf: "expires"):
      expires =
        CookieDate.parse(line.text(value, encoding)).map { min(Double($0), now + Double(Self.ageLimit)) }
        ?? expires
    case 8 where line.equals(name, ignoringCaseOf: "httponly"): isHTTPOnly = true
    case 8 where line.equals(name, ignoringCaseOf: "samesite"): sameSite = Self.policy(line, value)
    default: break
    }
  }

  /// Completes a cookie (§5.7, steps 6 to 22); false if `target` may not set it.
  func apply(
    to cookie: inout Cookie, from target: TargetURI, suffixes: () -> PublicSuffixRules,
    _ canonicalHost: (String) throws -> String
  ) -> Bool {
    cookie.expires = maximumAge ?? expires
    cookie.isSecure = isSecure
    cookie.isHTTPOnly = isHTTPOnly
    cookie.sameSite = sameSite
    if case .some(.some(let stated)) = path {
      cookie.path = stated
    } else {
      cookie.path = CookieScope.defaultPath(of: target.path)
    }
    // No path of a URL has one, and the files that cookies are kept in end their fields there.
    if cookie.path.utf8.contains(Byte.tab) { return false }
    guard covers(target.origin.host, isRooted: target.isRooted, &cookie, suffixes, canonicalHost) else {
      return false
    }
    if isSecure && !CookieScope.isSecure(target.origin) { return false }
    // A cookie for other sites' requests has to be kept from readers on the way.
    if sameSite == "none" && !isSecure { return false }
    return cookie.satisfiesNamePrefix(hasStatedPath: path != nil)
  }

  /// Gives the cookie the domain that was stated (steps 7 to 10); false if `host` may not set it there.
  private func covers(
    _ host: String, isRooted: Bool, _ cookie: inout Cookie, _ suffixes: () -> PublicSuffixRules,
    _ canonicalHost: (String) throws -> String
  ) -> Bool {
    guard let stated = domain, !stated.isEmpty else { return true }
    // Step 8: servers name domains in ASCII. Nor do they encode them, which a canonical form would undo.
    // The root's dot, which the canonical form lacks, is in the host if it is in the domain (§5.1.3).
    guard stated.utf8.allSatisfy({ Byte.isVisible($0) && $0 != Byte.percent }),
      stated.utf8.last != Byte.dot || isRooted,
      let domain = try? canonicalHost(stated), CookieScope.host(host, matches: domain)
    else { return false }
    // An address has no hosts below it.
    if CookieScope.isAddress(host) { return true }
    if suffixes().covers(domain) {
      // A site on a public suffix itself gets a cookie of its own.
      return host == domain
    }
    cookie.domain = domain
    cookie.isHostOnly = false
    return true
  }

  /// `Max-Age` (§5.6.2): not positive means gone.
  private static func date(afterSeconds line: Span<UInt8>, _ value: Range<Int>, now: Double) -> Double? {
    let isNegative = !value.isEmpty && line[value.lowerBound] == UInt8(ascii: "-")
    let digits = isNegative ? value.dropFirst() : value
    guard !digits.isEmpty, digits.allSatisfy({ Byte.isDigit(line[$0]) }) else { return nil }
    // Stops at the limit, so that no number is too long.
    var seconds = 0
    for index in digits { seconds = min(seconds * 10 + Int(line[index] - UInt8(ascii: "0")), ageLimit) }
    return isNegative || seconds == 0 ? -.infinity : now + Double(seconds)
  }

  /// §5.6.7; nil is the draft's `Default`.
  private static func policy(_ line: Span<UInt8>, _ value: Range<Int>) -> String? {
    ["none", "lax", "strict"].first { line.equals(value, ignoringCaseOf: $0) }
  }
}

// The bytes of a `Set-Cookie` value. Bytes decide, as they will for the server: an accent after a semicolon makes another
// character of it. The constants of `Byte` are read before loops: they are calls to another module.
extension Span<UInt8> {
  /// The index of the first semicolon at or behind an index, or the end.
  func firstSemicolon(from start: Int) -> Int {
    let semicolon = Byte.semicolon
    var index = start
    while index < count, self[index] != semicolon { index += 1 }
    return index
  }

  /// The index of the first equals sign in a range.
  func firstEquals(in range: Range<Int>) -> Int? {
    let equals = Byte.equals
    for index in range where self[index] == equals { return index }
    return nil
  }

  /// A range without the spaces and tabs at both ends (OWS, RFC 9110 §5.6.3).
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    let (space, tab) = (Byte.space, Byte.tab)
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self[start] == space || self[start] == tab { start += 1 }
    while start < end, self[end - 1] == space || self[end - 1] == tab { end -= 1 }
    return start..<end
  }

  /// - Parameter name: In lower case, and ASCII.
  func equals(_ range: Range<Int>, ignoringCaseOf name: String) -> Bool {
    guard range.count == name.utf8.count else { return false }
    let name = name.utf8.span
    for index in name.indices {
      let byte = self[range.lowerBound + index]
      if byte != name[index], byte.asciiLowercased != name[index] { return false }
    }
    return true
  }

  func text(_ range: Range<Int>, _ encoding: FieldValue.Encoding) -> String {
    // The bytes are read within the call.
    let part = extracting(range)
    if encoding == .utf8 {
      return part.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    var text = String.UnicodeScalarView()
    for index in part.indices { text.append(Unicode.Scalar(part[index])) }
    return String(text)
  }
}
