import BluebonnetHTTP1

/// An element of a jar: a cookie, or an object that has one.
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
    /// Order of creation, by which cookies are sent. 0 for cookies older than this jar.
    var creation: Int
    /// Order among cookies of one creation.
    private(set) var position: Int
    /// The time when it was stored, perhaps in place of an older one.
    private(set) var stored: Double
    var lastAccess: Int

    init(holder: Holder, creation: Int, position: Int, stored: Double, lastAccess: Int) {
      self.holder = holder
      self.creation = creation
      self.position = position
      self.stored = stored
      self.lastAccess = lastAccess
    }

    /// - Returns: Whether the earlier cookie was secure.
    mutating func replace(_ holder: Holder, _ serial: Int, now: Double) -> Bool {
      let wasSecure = cookie.isSecure
      (self.holder, position, stored, lastAccess) = (holder, serial, now, serial)
      return wasSecure
    }

    /// The order of sending: the least first.
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
  /// The number of secure cookies of a name: most cookies collide with none.
  private var secureNames: [String: Int] = [:]
  /// Grows with every change of the jar's cookies.
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
    guard let index = domains[cookie.domain]?.firstIndex(where: { $0.cookie.hasSameIdentity(as: cookie) })
    else {
      if cookie.hasEnded(by: now) { return }
      insert(
        Entry(
          holder: holder, creation: isOld ? 0 : serial, position: serial, stored: now, lastAccess: serial))
      return evict(from: cookie.domain, now: now)
    }
    if cookie.hasEnded(by: now) {
      remove(at: index, of: cookie.domain)
    } else {
      replace(at: index, with: holder, now: now)
    }
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

  /// Replaces a cookie by one of the same identity. The creation time stays (§5.7, step 23).
  private mutating func replace(at index: Int, with holder: Holder, now: Double) {
    let cookie = holder.cookie
    changeCount += 1
    // Where it lies: servers set the same cookies again and again.
    let wasSecure = domains[cookie.domain]?[index].replace(holder, serial, now: now) ?? false
    if wasSecure != cookie.isSecure { countSecure(cookie.name, cookie.isSecure ? 1 : -1) }
  }

  private mutating func countSecure(_ name: String, _ change: Int) {
    let count = secureNames[name, default: 0] + change
    secureNames[name] = count > 0 ? count : nil
  }

  private mutating func insert(_ entry: Entry) {
    domains[entry.cookie.domain, default: []].append(entry)
    count += 1
    changeCount += 1
    if entry.cookie.isSecure { countSecure(entry.cookie.name, 1) }
  }

  /// The one way out of a jar.
  @discardableResult
  mutating func remove(at index: Int, of domain: String) -> Entry? {
    guard let entry = domains[domain]?.remove(at: index) else { return nil }
    if domains[domain]?.isEmpty == true { domains[domain] = nil }
    count -= 1
    changeCount += 1
    if entry.cookie.isSecure { countSecure(entry.cookie.name, -1) }
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

  /// The cookies of a request: longer paths first, then older cookies (§5.8.3, step 2). Of those that are equally old
  /// because a file did not say, longer domains and names first, as in curl, the source of most such files.
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
    if found.count > 1 { found.sort { $0.order < $1.order } }
    return found.map(\.holder)
  }

  /// Offers the entries of a host and of the domains above it; those that are taken count as just used.
  private mutating func visit(_ host: String, _ take: (Entry) -> Bool) {
    serial += 1
    let isAddress = CookieScope.isAddress(host)
    var domain = host[...]
    while true {
      domains[String(domain)]?.markUsed(serial, where: take)
      guard !isAddress, let dot = domain.utf8.firstIndex(of: Byte.dot) else { return }
      domain = domain[domain.utf8.index(after: dot)...]
    }
  }
}

extension Array {
  /// In place: a copy of all would cost more than the search.
  fileprivate mutating func markUsed<Holder>(_ serial: Int, where isTaken: (Element) -> Bool)
  where Element == CookieJar<Holder>.Entry {
    for index in indices where isTaken(self[index]) { self[index].lastAccess = serial }
  }
}
