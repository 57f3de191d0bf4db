// SPDX-License-Identifier: MIT

// A jar holds so much and no more. What goes first is RFC 6265bis §5.7's: ended cookies; then insecure ones of domains that
// have many; then others of such domains; then all. Among equals, the one that was not used for longest.
extension CookieJar {
  // The draft names 50 and 3000 as examples; browsers take about 180 and 3300.
  /// Cookies of one domain.
  package static var domainLimit: Int { 180 }
  /// Cookies of all domains.
  package static var totalLimit: Int { 3300 }
  /// Cookies that a domain may keep while others still have more: one host with many names below it can't drive out
  /// the cookies of all others.
  package static var fairShare: Int { 50 }

  /// Makes room after a cookie of `domain` has been stored.
  mutating func evict(from domain: String, now: Double) {
    if cookieCount(of: domain) > Self.domainLimit {
      remove { cookie, _ in cookie.domain == domain && cookie.hasEnded(by: now) }
    }
    while cookieCount(of: domain) > Self.domainLimit, let index = index(of: domain) {
      guard
        let entry = longestUnused(of: index, where: { !$0.cookie.isSecure })
          ?? longestUnused(of: index, where: { _ in true })
      else { return }
      remove(at: Place(domain: index, entry: entry))
    }
    if count > Self.totalLimit { removeEnded(now: now) }
    while count > Self.totalLimit {
      guard
        let place = longestUnused(amongAtLeast: Self.fairShare + 1, where: { !$0.cookie.isSecure })
          ?? longestUnused(amongAtLeast: Self.fairShare + 1, where: { _ in true })
          ?? longestUnused(amongAtLeast: 1, where: { _ in true })
      else { return }
      remove(at: place)
    }
  }

  private func cookieCount(of domain: String) -> Int {
    index(of: domain).map { domains[$0].entries.count } ?? 0
  }

  private func longestUnused(of domain: Int, where isMeant: (Entry) -> Bool) -> Int? {
    let entries = domains[domain].entries
    return entries.indices.filter { isMeant(entries[$0]) }
      .min { Self.isLess(entries[$0], entries[$1]) }
  }

  private func longestUnused(amongAtLeast least: Int, where isMeant: (Entry) -> Bool) -> Place? {
    var found: (place: Place, entry: Entry)?
    for domain in domains.indices where domains[domain].entries.count >= least {
      guard let index = longestUnused(of: domain, where: isMeant) else { continue }
      let place = Place(domain: domain, entry: index)
      if let found, Self.isLess(found.entry, entry(at: place)) { continue }
      found = (place, entry(at: place))
    }
    return found?.place
  }

  private static func isLess(_ left: Entry, _ right: Entry) -> Bool {
    (left.lastAccess, left.position) < (right.lastAccess, right.position)
  }
}
