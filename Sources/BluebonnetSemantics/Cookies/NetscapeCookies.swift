// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The file that Netscape kept its cookies in, which curl, wget, Python and others read and write.
///
/// A cookie is a line of seven fields with tabs between them: domain, whether it covers hosts below it (`TRUE` or
/// `FALSE`), path, whether it is secure, when it ends in seconds since the start of 1970 (0 for the end of the session),
/// name, value. `#HttpOnly_` in front of the domain keeps the cookie from scripts; other lines that begin with `#` are
/// remarks. The file has no place for `SameSite`, nor for when a cookie was made.
package enum NetscapeCookies {
  /// The contents of a file.
  package struct Reading: Sendable, Equatable {
    package var cookies: [Cookie]
    /// Lines that are neither a cookie, nor a remark, nor empty.
    package var unparsedLineCount: Int

    package init(cookies: [Cookie] = [], unparsedLineCount: Int = 0) {
      self.cookies = cookies
      self.unparsedLineCount = unparsedLineCount
    }
  }

  /// The required first line, by which programs recognise the file.
  package static let firstLine = "# Netscape HTTP Cookie File"
  private static let httpOnlyPrefix = "#HttpOnly_"
  private static let setCookiePrefix = "set-cookie:"

  // MARK: Reading

  /// Reads a file, line by line. Passes over unreadable lines, and cookies that have ended, that no server
  /// could have set (`__Host-` without `Secure`) or that a public suffix would share.
  ///
  /// Besides, as in curl, lines of a response's head: `Set-Cookie: …` with a `Domain`, which names its server.
  package static func read(
    _ file: [UInt8], now: Double, suffixes: () -> PublicSuffixRules, canonicalHost: (String) throws -> String
  ) -> Reading {
    var reading = Reading()
    for line in file.split(whereSeparator: { $0 == Byte.lf || $0 == Byte.cr }) {
      let line = line.drop(while: Byte.isWhitespace)
      let written = FieldValue(bytes: Array(line))
      let text = written.text[...]
      let isHTTPOnly = text.utf8.starts(with: httpOnlyPrefix.utf8)
      if line.isEmpty || line.first == Byte.hash && !isHTTPOnly { continue }
      var cookie: Cookie?
      if !line.contains(where: Byte.isForbiddenInValue) {
        if isHTTPOnly {
          cookie = self.cookie(
            Substring(text.utf8.dropFirst(httpOnlyPrefix.utf8.count)), suffixes, canonicalHost)
          cookie?.isHTTPOnly = true
        } else if Substring(text.utf8.prefix(setCookiePrefix.utf8.count))
          .equalsIgnoringASCIICase(setCookiePrefix)
        {
          let value = Substring(text.utf8.dropFirst(setCookiePrefix.utf8.count))
          cookie = setCookie(value, now: now, suffixes, canonicalHost)
        } else {
          cookie = self.cookie(text, suffixes, canonicalHost)
        }
      }
      cookie?.encoding = written.encoding
      if let cookie {
        if !cookie.hasEnded(by: now) { reading.cookies.append(cookie) }
      } else {
        reading.unparsedLineCount += 1
      }
    }
    return reading
  }

  private static func cookie(
    _ line: Substring, _ suffixes: () -> PublicSuffixRules, _ canonicalHost: (String) throws -> String
  ) -> Cookie? {
    // The value is the rest, tabs included. A line may end without one.
    let fields = line.utf8.split(separator: Byte.tab, maxSplits: 6, omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard fields.count >= 6, let coversHostsBelow = flag(fields[1]), let isSecure = flag(fields[3]),
      let expires = expiry(fields[4]), let place = place(fields[0], canonicalHost)
    else { return nil }
    let name = fields[5].trimmingOptionalWhitespace
    let value = fields.count == 7 ? fields[6].trimmingOptionalWhitespace : ""
    guard !name.isEmpty || !value.isEmpty, name.utf8.count + value.utf8.count <= Cookie.sizeLimit,
      // In a request they would end the cookie, or its name.
      !name.utf8.contains(where: { $0 == Byte.semicolon || $0 == Byte.equals }),
      !value.utf8.contains(Byte.semicolon)
    else { return nil }
    var cookie = Cookie(
      name: String(name), value: String(value), domain: place.host,
      isHostOnly: !coversHostsBelow || CookieScope.isAddress(place.host),
      path: fields[2].utf8.first == Byte.slash ? String(fields[2]) : "/")
    cookie.isSecure = isSecure
    cookie.ports = place.port.map { [$0] }
    cookie.expires = expires == 0 ? nil : expires
    guard cookie.satisfiesNamePrefix(), cookie.isHostOnly || !suffixes().covers(cookie.domain) else {
      return nil
    }
    return cookie
  }

  private static func setCookie(
    _ value: Substring, now: Double, _ suffixes: () -> PublicSuffixRules,
    _ canonicalHost: (String) throws -> String
  ) -> Cookie? {
    guard let domain = Cookie.statedDomain(of: value),
      let target = try? TargetURI("https://\(domain)/", canonicalHost: canonicalHost)
    else { return nil }
    return Cookie(setCookie: value, from: target, now: now, suffixes: suffixes, canonicalHost: canonicalHost)
  }

  /// The host, and the one port that wget names where a cookie is for a server on an unusual one.
  private static func place(
    _ field: Substring, _ canonicalHost: (String) throws -> String
  ) -> (host: String, port: Int?)? {
    var host = field.utf8.first == Byte.dot ? Substring(field.utf8.dropFirst()) : field
    var port: Int?
    if let colon = host.utf8.lastIndex(of: Byte.colon),
      host.utf8.first == Byte.openBracket
        ? host.utf8[..<colon].last == Byte.closeBracket : host.utf8.firstIndex(of: Byte.colon) == colon
    {
      let digits = Substring(host.utf8[host.utf8.index(after: colon)...])
      guard let number = UInt16(digits), number > 0, digits.utf8.allSatisfy(Byte.isDigit) else { return nil }
      port = Int(number)
      host = Substring(host.utf8[..<colon])
    }
    guard !host.isEmpty, let canonical = try? canonicalHost(String(host)) else { return nil }
    return (canonical, port)
  }

  private static func flag(_ field: Substring) -> Bool? {
    if field.equalsIgnoringASCIICase("TRUE") { return true }
    return field.equalsIgnoringASCIICase("FALSE") ? false : nil
  }

  /// Seconds; some programs write fractions, and nothing for the end of the session.
  private static func expiry(_ field: Substring) -> Double? {
    if field.isEmpty { return 0 }
    let isNegative = field.utf8.first == UInt8(ascii: "-")
    let digits = Substring(field.utf8.drop { $0 == UInt8(ascii: "-") }.prefix { $0 != Byte.dot })
    guard field.utf8.count <= 32, !digits.isEmpty, digits.utf8.allSatisfy(Byte.isDigit),
      let seconds = Double(digits)
    else { return nil }
    return isNegative ? -max(seconds, 1) : seconds
  }

  // MARK: Writing

  /// The line of a cookie, without its end. Nil for what the file has no place for: a name or a path with a tab, several
  /// ports; and for a cookie that has ended.
  package static func line(_ cookie: Cookie, now: Double) -> String? {
    guard !cookie.hasEnded(by: now),
      ![cookie.name, cookie.path, cookie.domain].contains(where: { $0.utf8.contains(Byte.tab) }),
      ![cookie.name, cookie.value, cookie.path, cookie.domain].contains(where: {
        $0.utf8.contains(where: Byte.isForbiddenInValue)
      })
    else { return nil }
    var domain = cookie.isHostOnly ? cookie.domain : "." + cookie.domain
    if let ports = cookie.ports {
      guard ports.count == 1, let port = ports.first else { return nil }
      domain = domain.utf8.contains(Byte.colon) ? "[\(domain)]:\(port)" : "\(domain):\(port)"
    }
    let prefix = cookie.isHTTPOnly ? httpOnlyPrefix : ""
    // The end of the session is 0, so the first second of 1970 is the second one. No program needs more than year 9999.
    let expires = cookie.expires.map { Int(min(max($0.rounded(.up), 1), 253_402_300_799)) } ?? 0
    return [
      prefix + domain, cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
      String(expires), cookie.name, cookie.value,
    ].joined(separator: "\t")
  }

  /// A whole file, its cookies in their order.
  ///
  /// - Parameters:
  ///   - remarks: Lines for people, beneath the first; what breaks a line is left out of them.
  ///   - keepsSessionCookies: Whether cookies are written that end with the session.
  package static func write(
    _ cookies: some Sequence<Cookie>, remarks: [String] = [], keepsSessionCookies: Bool, now: Double
  ) -> [UInt8] {
    var file = Array(firstLine.utf8) + [Byte.lf]
    for remark in remarks {
      file += Array("# ".utf8) + remark.utf8.filter { !Byte.isForbiddenInValue($0) } + [Byte.lf]
    }
    file.append(Byte.lf)
    for cookie in cookies where keepsSessionCookies || cookie.expires != nil {
      if let line = line(cookie, now: now) { file += cookie.encoding.bytes(of: line) + [Byte.lf] }
    }
    return file
  }
}
