/// What a jar holds: a cookie, or an object that has one.
package protocol CookieHolder {
  var cookie: Cookie { get }
}

extension Cookie: CookieHolder {
  package var cookie: Cookie { self }
}

/// Cookies and the rules by which they come and go (RFC 6265bis §5.7 and §5.8), without a lock or a clock. Moments are
/// seconds since the start of 1970.
package struct CookieJar<Holder: CookieHolder> {
  struct Entry {
    var holder: Holder
    var cookie: Cookie { holder.cookie }
    /// Order of creation, which sorts what is sent. 0 for what was there before this jar was.
    var creation: Int
    /// Order among cookies of one creation.
    let position: Int
    /// When it was stored, which may have been in place of an older one.
    let stored: Double
    var lastAccess: Int

    /// What is sent first has less of it.
    var order: (Int, Int, Int, Int, Int) {
      let isOld = creation == 0
      return (
        -cookie.path.utf8.count, creation, isOld ? -cookie.domain.utf8.count : 0,
        isOld ? -cookie.name.utf8.count : 0, position
      )
    }
  }

  /// By domain, so that a lookup costs as many steps as the host has labels.
  var domains: [String: [Entry]] = [:]
  var count = 0
  private var serial = 0
  /// How many secure cookies there are of a name: most cookies collide with none.
  private var secureNames: [String: Int] = [:]
  /// Grows with every change of what is held.
  package private(set) var changeCount = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Everything that has not ended, oldest first.
  package mutating func all(now: Double) -> [Holder] {
    removeEnded(now: now)
    return domains.values.joined().sorted {
      ($0.creation, $0.position) < ($1.creation, $1.position)
    }.map(\.holder)
  }

  // MARK: Storing

  /// Stores a cookie in place of one with the same name, domain and path. One that has ended removes it.
  ///
  /// - Parameter isOld: It comes from a file that does not tell when it was created: before all others.
  package mutating func store(_ holder: Holder, now: Double, isOld: Bool = false) {
    serial += 1
    let cookie = holder.cookie
    var creation = isOld ? 0 : serial
    if let old = remove(sameAs: cookie) { creation = old.creation }
    guard !cookie.hasEnded(by: now) else { return }
    insert(
      Entry(holder: holder, creation: creation, position: serial, stored: now, lastAccess: serial))
    evict(from: cookie.domain, now: now)
  }

  /// Whether an origin may set a cookie: an insecure one must not put its cookies in front of secure ones (§5.7, step 16).
  package func accepts(_ holder: Holder, from origin: WebOrigin) -> Bool {
    CookieScope.isSecure(origin) || !collides(holder.cookie)
  }

  /// Whether an insecure cookie has the name of a secure one and reaches requests that carry that.
  private func collides(_ cookie: Cookie) -> Bool {
    guard !cookie.isSecure, secureNames[cookie.name] != nil else { return false }
    return domains.contains { domain, entries in
      (CookieScope.host(domain, matches: cookie.domain) || CookieScope.host(cookie.domain, matches: domain))
        && entries.contains {
          $0.cookie.isSecure && $0.cookie.name == cookie.name
            && CookieScope.path(cookie.path, matches: $0.cookie.path)
        }
    }
  }

  private mutating func remove(sameAs cookie: Cookie) -> Entry? {
    guard let index = domains[cookie.domain]?.firstIndex(where: { $0.cookie.hasSameIdentity(as: cookie) })
    else { return nil }
    return remove(at: index, of: cookie.domain)
  }

  private mutating func insert(_ entry: Entry) {
    domains[entry.cookie.domain, default: []].append(entry)
    count += 1
    changeCount += 1
    if entry.cookie.isSecure { secureNames[entry.cookie.name, default: 0] += 1 }
  }

  /// The one way out of a jar.
  @discardableResult
  mutating func remove(at index: Int, of domain: String) -> Entry? {
    guard let entry = domains[domain]?.remove(at: index) else { return nil }
    if domains[domain]?.isEmpty == true { domains[domain] = nil }
    count -= 1
    changeCount += 1
    if entry.cookie.isSecure, let others = secureNames[entry.cookie.name] {
      secureNames[entry.cookie.name] = others == 1 ? nil : others - 1
    }
    return entry
  }

  /// Removes cookies; the second argument is when they were stored.
  package mutating func remove(where isGone: (Holder, Double) -> Bool) {
    for (domain, entries) in domains {
      for (index, entry) in entries.enumerated().reversed() where isGone(entry.holder, entry.stored) {
        remove(at: index, of: domain)
      }
    }
  }

  mutating func removeEnded(now: Double) { remove { holder, _ in holder.cookie.hasEnded(by: now) } }

  // MARK: Sending

  /// What a request carries: longer paths first, then older cookies (§5.8.3, step 2). Of those that are equally old
  /// because a file did not say, longer domains and names first, as in curl, which has most of such files.
  package mutating func cookies(for target: TargetURI, now: Double) -> [Holder] {
    guard count > 0 else { return [] }
    var found: [Entry] = []
    let host = target.origin.host
    let isSecure = CookieScope.isSecure(target.origin)
    visit(host) { entry in
      let cookie = entry.cookie
      guard !cookie.hasEnded(by: now), !cookie.isSecure || isSecure,
        !cookie.isHostOnly || cookie.domain == host,
        CookieScope.path(target.path, matches: cookie.path),
        cookie.ports?.contains(Int(target.origin.port)) ?? true
      else { return false }
      found.append(entry)
      return true
    }
    return found.sorted { $0.order < $1.order }.map(\.holder)
  }

  /// Offers the entries of a host and of the domains above it; those that are taken count as just used.
  private mutating func visit(_ host: String, _ take: (Entry) -> Bool) {
    serial += 1
    let isAddress = CookieScope.isAddress(host)
    var domain = host[...]
    while true {
      if var entries = domains[String(domain)] {
        for index in entries.indices where take(entries[index]) { entries[index].lastAccess = serial }
        domains[String(domain)] = entries
      }
      guard !isAddress, let dot = domain.firstIndex(of: ".") else { return }
      domain = domain[domain.index(after: dot)...]
    }
  }
}
