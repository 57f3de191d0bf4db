import BluebonnetHTTP1

/// What stands behind the first semicolon of a `Set-Cookie` (RFC 6265bis §5.6.1 to §5.6.7). The last one of a name wins.
struct CookieAttributes {
  /// Longer values are passed over, as if the attribute were not there (§5.6, step 6 for attributes).
  private static let valueLimit = 1024
  /// How long a cookie may live, in seconds: 400 days (§5.5).
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

  /// Reads what stands between two semicolons.
  mutating func read(_ part: Substring, now: Double) {
    let halves = part.utf8.split(
      separator: Byte.equals, maxSplits: 1, omittingEmptySubsequences: false)
    let value = halves.count == 2 ? Substring(halves[1]).trimmingOptionalWhitespace : ""
    guard value.utf8.count <= Self.valueLimit else { return }
    switch Substring(halves[0]).trimmingOptionalWhitespace.asciiLowercased {
    case "expires":
      expires = CookieDate.parse(value).map { min(Double($0), now + Double(Self.ageLimit)) } ?? expires
    case "max-age": maximumAge = Self.date(afterSeconds: value, now: now) ?? maximumAge
    case "domain": domain = String(value.utf8.first == Byte.dot ? value.dropFirstByte : value)
    case "path": path = .some(value.utf8.first == Byte.slash ? String(value) : nil)
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite": sameSite = Self.policy(value)
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
    if case .some(.some(let stated)) = path { cookie.path = stated }
    // No path of a URL has one, and the files that cookies are kept in end their fields there.
    if cookie.path.utf8.contains(Byte.tab) { return false }
    guard covers(target.origin.host, isRooted: target.isRooted, &cookie, suffixes, canonicalHost) else {
      return false
    }
    if isSecure && !CookieScope.isSecure(target.origin) { return false }
    // Who wants to be sent along with other sites' requests has to say that nobody may read it on the way.
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
  private static func date(afterSeconds text: Substring, now: Double) -> Double? {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirstByte : text
    guard !digits.isEmpty, digits.utf8.allSatisfy({ Byte.isDigit($0) }) else { return nil }
    if isNegative || digits.utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) { return -.infinity }
    return now + Double(min(Int(digits) ?? .max, ageLimit))
  }

  /// §5.6.7; nil is what the draft calls `Default`.
  private static func policy(_ value: Substring) -> String? {
    let value = value.asciiLowercased
    return ["none", "lax", "strict"].contains(value) ? value : nil
  }
}

extension Substring {
  /// Bytes, not characters: an accent behind the first one would go with it.
  fileprivate var dropFirstByte: Substring { Substring(utf8.dropFirst()) }
}
