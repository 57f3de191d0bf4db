// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The hosts and paths that a cookie covers (RFC 6265bis §5.1.3 and §5.1.4), and the connections that are secure.
package enum CookieScope {
  /// Both in their canonical form; an address matches itself only.
  package static func host(_ host: String, matches domain: String) -> Bool {
    if host == domain { return true }
    guard host.utf8.count > domain.utf8.count, host.hasSuffix(domain), !isAddress(host) else { return false }
    let before = host.utf8.index(host.utf8.endIndex, offsetBy: -domain.utf8.count - 1)
    return host.utf8[before] == Byte.dot
  }

  /// Whether `path` (of a target, perhaps with a query) lies at or below `prefix`.
  package static func path(_ path: String, matches prefix: String) -> Bool {
    let (path, prefix) = (path.utf8.span, prefix.utf8.span)
    let length = prefix.count
    guard path.count >= length else { return false }
    for index in 0..<length where path[index] != prefix[index] || path[index] == Byte.question {
      return false
    }
    return path.count == length || length > 0 && prefix[length - 1] == Byte.slash
      || path[length] == Byte.slash || path[length] == Byte.question
  }

  /// The directory of a target.
  package static func defaultPath(of target: String) -> String {
    let path = target.utf8.prefix { $0 != Byte.question }
    guard let last = path.lastIndex(of: Byte.slash), last != path.startIndex else { return "/" }
    return String(decoding: path[..<last], as: UTF8.self)
  }

  /// Whether two hosts are of one site: of one domain that was registered (RFC 6265bis §5.2). Schemes are not compared.
  package static func isSameSite(
    _ host: String, _ other: String, suffixes: @autoclosure () -> PublicSuffixRules
  ) -> Bool {
    if host == other { return true }
    if isAddress(host) || isAddress(other) { return false }
    let suffixes = suffixes()
    // A suffix itself is a site of its own.
    return suffixes.registrableDomain(of: host) ?? host == suffixes.registrableDomain(of: other) ?? other
  }

  /// Whether bytes sent to an origin are kept from others: by TLS, or because they do not leave the machine. Browsers and
  /// curl trust the same names (RFC 6265bis §5.8.3 leaves it to the client).
  package static func isSecure(_ origin: WebOrigin) -> Bool {
    if origin.isSecure { return true }
    switch origin.host {
    case "localhost", "127.0.0.1", "::1": return true
    default: return false
    }
  }

  /// Whether a host is an address, and so without domains above it.
  package static func isAddress(_ host: String) -> Bool {
    // From the end, where nearly every name is none.
    var isNumber = false
    for byte in host.utf8.reversed() {
      if byte == Byte.dot {
        if isNumber { return true }
      } else if Byte.isDigit(byte) {
        isNumber = true
      } else {
        return host.utf8.contains(Byte.colon)
      }
    }
    return isNumber
  }
}
