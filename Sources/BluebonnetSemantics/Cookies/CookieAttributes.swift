import BluebonnetHTTP1

/// What stands behind the first semicolon of a `Set-Cookie` (RFC 6265 §5.2.1 to §5.2.6). The last one of a name wins.
struct CookieAttributes {
  private var expires: Double?
  private var maximumAge: Double?
  private var domain: String?
  private var path: String?
  private var isSecure = false
  private var isHTTPOnly = false
  private var sameSite: String?

  mutating func read(_ part: Substring, now: Double) {
    let halves = part.utf8.split(
      separator: Byte.equals, maxSplits: 1, omittingEmptySubsequences: false)
    let value = halves.count == 2 ? Substring(halves[1]).trimmingOptionalWhitespace : ""
    switch Substring(halves[0]).trimmingOptionalWhitespace.asciiLowercased {
    case "expires": expires = CookieDate.parse(value).map(Double.init) ?? expires
    case "max-age": maximumAge = Self.date(afterSeconds: value, now: now) ?? maximumAge
    case "domain": if !value.isEmpty { domain = String(value.hasPrefix(".") ? value.dropFirst() : value) }
    case "path": path = value.utf8.first == Byte.slash ? String(value) : nil
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite": sameSite = Self.policy(value)
    default: break
    }
  }

  /// Completes a cookie; false if `target` may not set it.
  func apply(
    to cookie: inout Cookie, from target: TargetURI, _ canonicalHost: (String) throws -> String
  ) -> Bool {
    cookie.expires = maximumAge ?? expires
    cookie.isSecure = isSecure
    cookie.isHTTPOnly = isHTTPOnly
    cookie.sameSite = sameSite
    if let path { cookie.path = path }
    if let stated = domain, !stated.isEmpty {
      // RFC 6265 §5.1.2: hosts are compared in their canonical form.
      guard let domain = try? canonicalHost(stated) else { return false }
      let host = target.origin.host
      guard CookieScope.host(host, matches: domain) else { return false }
      if PublicSuffix.covers(domain) {
        // A site on a public suffix itself gets a cookie of its own (RFC 6265 §5.3, step 5).
        guard host == domain else { return false }
      } else {
        cookie.domain = domain
        cookie.isHostOnly = false
      }
    }
    // Only a secure origin may make secure cookies; the prefixes promise what the attributes must then say
    // (RFC 6265bis §5.7).
    if isSecure && !target.origin.isSecure { return false }
    if cookie.name.utf8.starts(with: "__Secure-".utf8) { return isSecure }
    if cookie.name.utf8.starts(with: "__Host-".utf8) {
      return isSecure && cookie.isHostOnly && cookie.path == "/"
    }
    return true
  }

  /// `Max-Age`: not positive means gone; too many digits mean never within a lifetime.
  private static func date(afterSeconds text: Substring, now: Double) -> Double? {
    let digits = text.first == "-" ? text.dropFirst() : text
    guard !digits.isEmpty, digits.utf8.allSatisfy({ Byte.isDigit($0) }) else { return nil }
    if text.first == "-" || digits.utf8.allSatisfy({ $0 == 48 }) { return -.infinity }
    // RFC 6265bis §5.6.2 caps a cookie's life at 400 days.
    let seconds = min(Int(digits) ?? .max, 400 * 86400)
    return now + Double(seconds)
  }

  private static func policy(_ value: Substring) -> String? {
    switch value.asciiLowercased {
    case "lax": "lax"
    case "strict": "strict"
    default: nil
    }
  }
}
