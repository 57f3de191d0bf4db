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
    if let entries = domains[domain], entries.count > Self.domainLimit {
      remove { holder, _ in holder.cookie.domain == domain && holder.cookie.hasEnded(by: now) }
    }
    while let entries = domains[domain], entries.count > Self.domainLimit {
      let insecure = Self.longestUnused(entries, where: { !$0.cookie.isSecure })
      guard let index = insecure ?? Self.longestUnused(entries, where: { _ in true }) else { return }
      remove(at: index, of: domain)
    }
    if count > Self.totalLimit { removeEnded(now: now) }
    while count > Self.totalLimit {
      guard
        let (domain, index) = longestUnused(amongAtLeast: Self.fairShare + 1, where: { !$0.cookie.isSecure })
          ?? longestUnused(amongAtLeast: Self.fairShare + 1, where: { _ in true })
          ?? longestUnused(amongAtLeast: 1, where: { _ in true })
      else { return }
      remove(at: index, of: domain)
    }
  }

  private static func longestUnused(_ entries: [Entry], where isMeant: (Entry) -> Bool) -> Int? {
    entries.indices.filter { isMeant(entries[$0]) }
      .min { isLess(entries[$0], entries[$1]) }
  }

  private func longestUnused(
    amongAtLeast least: Int, where isMeant: (Entry) -> Bool
  ) -> (String, Int)? {
    var found: (domain: String, index: Int, entry: Entry)?
    for (domain, entries) in domains where entries.count >= least {
      guard let index = Self.longestUnused(entries, where: isMeant) else { continue }
      if let found, Self.isLess(found.entry, entries[index]) { continue }
      found = (domain, index, entries[index])
    }
    return found.map { ($0.domain, $0.index) }
  }

  private static func isLess(_ left: Entry, _ right: Entry) -> Bool {
    (left.lastAccess, left.position) < (right.lastAccess, right.position)
  }
}
