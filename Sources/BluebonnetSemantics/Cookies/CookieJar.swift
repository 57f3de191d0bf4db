/// What a jar holds: a cookie, or an object that has one.
package protocol CookieHolder {
  var cookie: Cookie { get }
}

extension Cookie: CookieHolder {
  package var cookie: Cookie { self }
}

/// Cookies and the rules by which they come and go (RFC 6265 §5.3 and §5.4), without a lock or a clock. Moments are seconds
/// since the start of 1970.
package struct CookieJar<Holder: CookieHolder> {
  // RFC 6265 §6.1 asks for 50 and 3000 at least; browsers take about 180 and 3300.
  /// Cookies of one domain.
  package static var domainLimit: Int { 180 }
  /// Cookies of all domains.
  package static var totalLimit: Int { 3300 }

  private struct Entry {
    var holder: Holder
    var cookie: Cookie { holder.cookie }
    /// Order of creation, which sorts what is sent.
    var serial: Int
    var created: Double
    var lastAccess: Int
  }

  /// By domain, so that a lookup costs as many steps as the host has labels.
  private var domains: [String: [Entry]] = [:]
  private var count = 0
  private var serial = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Everything that has not ended, oldest first.
  package mutating func all(now: Double) -> [Holder] {
    removeEnded(now: now)
    return domains.values.joined().sorted { $0.serial < $1.serial }.map(\.holder)
  }

  /// Stores a cookie in place of one with the same name, domain and path. One that has ended removes it.
  package mutating func store(_ holder: Holder, now: Double) {
    serial += 1
    let cookie = holder.cookie
    var entry = Entry(holder: holder, serial: serial, created: now, lastAccess: serial)
    var entries = domains[cookie.domain] ?? []
    count -= entries.count
    if let index = entries.firstIndex(where: { $0.cookie.hasSameIdentity(as: cookie) }) {
      entry.serial = entries[index].serial
      entries.remove(at: index)
    }
    if !cookie.hasEnded(by: now) {
      if entries.count >= Self.domainLimit { Self.evict(from: &entries, now: now) }
      entries.append(entry)
    }
    count += entries.count
    domains[cookie.domain] = entries.isEmpty ? nil : entries
    if count > Self.totalLimit { evictAnywhere(now: now) }
  }

  /// Removes cookies; the second argument is when they were stored.
  package mutating func remove(where isGone: (Holder, Double) -> Bool) {
    for (domain, entries) in domains {
      let kept = entries.filter { !isGone($0.holder, $0.created) }
      count -= entries.count - kept.count
      domains[domain] = kept.isEmpty ? nil : kept
    }
  }

  /// What a request carries: longer paths first, then older cookies (RFC 6265 §5.4).
  package mutating func cookies(for target: TargetURI, now: Double) -> [Holder] {
    guard count > 0 else { return [] }
    var found: [Entry] = []
    let host = target.origin.host
    visit(host) { entry in
      let cookie = entry.cookie
      guard !cookie.hasEnded(by: now), !cookie.isSecure || target.origin.isSecure,
        !cookie.isHostOnly || cookie.domain == host,
        CookieScope.path(target.path, matches: cookie.path),
        cookie.ports?.contains(Int(target.origin.port)) ?? true
      else { return false }
      found.append(entry)
      return true
    }
    return found.sorted {
      let (left, right) = ($0.cookie.path.utf8.count, $1.cookie.path.utf8.count)
      return left == right ? $0.serial < $1.serial : left > right
    }.map(\.holder)
  }

  /// Offers the entries of a host and of the domains above it; those that are taken count as just used.
  private mutating func visit(_ host: String, _ take: (Entry) -> Bool) {
    serial += 1
    var domain = host[...]
    while true {
      if var entries = domains[String(domain)] {
        for index in entries.indices where take(entries[index]) { entries[index].lastAccess = serial }
        domains[String(domain)] = entries
      }
      guard !CookieScope.isAddress(host), let dot = domain.firstIndex(of: ".") else { return }
      domain = domain[domain.index(after: dot)...]
    }
  }

  private mutating func removeEnded(now: Double) { remove { holder, _ in holder.cookie.hasEnded(by: now) } }

  /// Ended ones go first, then the one that was not used for longest.
  private static func evict(from entries: inout [Entry], now: Double) {
    entries.removeAll { $0.cookie.hasEnded(by: now) }
    guard entries.count >= domainLimit,
      let oldest = entries.indices.min(by: { entries[$0].lastAccess < entries[$1].lastAccess })
    else { return }
    entries.remove(at: oldest)
  }

  private mutating func evictAnywhere(now: Double) {
    removeEnded(now: now)
    guard count > Self.totalLimit,
      let oldest = domains.values.joined().min(by: { $0.lastAccess < $1.lastAccess })?.lastAccess
    else { return }
    for (domain, entries) in domains {
      guard let index = entries.firstIndex(where: { $0.lastAccess == oldest }) else { continue }
      domains[domain]?.remove(at: index)
      if domains[domain]?.isEmpty == true { domains[domain] = nil }
      count -= 1
      return
    }
  }
}
