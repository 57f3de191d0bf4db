import BluebonnetHTTP1

/// Which hosts and paths a cookie covers (RFC 6265 §5.1.3 and §5.1.4).
package enum CookieScope {
  /// Both in lower case; an address matches itself only.
  package static func host(_ host: String, matches domain: String) -> Bool {
    if host == domain { return true }
    guard host.utf8.count > domain.utf8.count, host.hasSuffix(domain), !isAddress(host) else { return false }
    let before = host.utf8.index(host.utf8.endIndex, offsetBy: -domain.utf8.count - 1)
    return host.utf8[before] == Byte.dot
  }

  /// Whether `path` (of a target, perhaps with a query) lies at or below `prefix`.
  package static func path(_ path: String, matches prefix: String) -> Bool {
    let path = path.utf8.prefix { $0 != Byte.question }
    guard path.starts(with: prefix.utf8) else { return false }
    return path.count == prefix.utf8.count || prefix.utf8.last == Byte.slash
      || path[path.index(path.startIndex, offsetBy: prefix.utf8.count)] == Byte.slash
  }

  /// The directory of a target.
  package static func defaultPath(of target: String) -> String {
    let path = target.utf8.prefix { $0 != Byte.question }
    guard let last = path.lastIndex(of: Byte.slash), last != path.startIndex else { return "/" }
    return String(decoding: path[..<last], as: UTF8.self)
  }

  /// Whether two hosts are of one site: of one domain that was registered.
  package static func isSameSite(_ host: String, _ other: String) -> Bool {
    site(of: host) == site(of: other)
  }

  /// The domain that was registered: the shortest one that is no public suffix.
  private static func site(of host: String) -> Substring {
    if isAddress(host) { return host[...] }
    var site = host[...]
    while let dot = site.firstIndex(of: ".") {
      let parent = site[site.index(after: dot)...]
      if PublicSuffix.covers(String(parent)) { return site }
      site = parent
    }
    return site
  }

  /// Whether a host is an address, which has no domains above it.
  package static func isAddress(_ host: String) -> Bool {
    if host.utf8.contains(Byte.colon) { return true }
    let last = host.utf8.split(separator: Byte.dot).last
    return last?.allSatisfy(Byte.isDigit) ?? false
  }
}
