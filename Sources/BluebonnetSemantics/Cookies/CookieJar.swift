// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Cookies and the rules by which they come and go (RFC 6265bis §5.7 and §5.8), without a lock or a clock. Moments are
/// seconds since the start of 1970.
///
/// Not generic: what is generic and used in another module is not specialised, and every step costs many times as much.
package struct CookieJar {
  /// The object by which a cookie is known outside; made only for those that are asked for.
  package typealias Holder = AnyObject & Sendable

  struct Entry {
    private(set) var cookie: Cookie
    var holder: (any Holder)?
    /// Order of creation, by which cookies are sent. 0 for cookies older than this jar.
    let creation: Int
    /// Order among cookies of one creation.
    private(set) var position: Int
    /// The time when it was stored, perhaps in place of an older one.
    private(set) var stored: Double
    var lastAccess: Int

    init(_ cookie: Cookie, _ holder: (any Holder)?, creation: Int, serial: Int, stored: Double) {
      self.cookie = cookie
      self.holder = holder
      self.creation = creation
      position = serial
      self.stored = stored
      lastAccess = serial
    }

    mutating func replace(_ cookie: Cookie, _ holder: (any Holder)?, _ serial: Int, now: Double) {
      self.cookie = cookie
      self.holder = holder
      (position, stored, lastAccess) = (serial, now, serial)
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

  /// The cookies of one domain; never empty.
  struct Domain {
    let name: String
    var entries: [Entry]
  }

  /// The place of an entry until one is removed.
  struct Place {
    let domain: Int
    let entry: Int
  }

  private(set) var domains: [Domain] = []
  /// The indices in `domains` by name.
  private var indices: [String: Int] = [:]
  /// The last host that was looked up, and the domains that cover it: most requests ask the same host again. Nil after
  /// a domain has come or gone.
  private var lookup: (host: String, domains: [Int])?
  private(set) var count = 0
  var serial = 0
  /// The number of secure cookies of a name: most cookies collide with none.
  private var secureNames: [String: Int] = [:]
  /// Grows with every change of the jar's cookies.
  package private(set) var changeCount = 0
  /// The cookies of the last request, in the order of sending; kept for its memory alone.
  var found: [Place] = []

  package init() {}

  package var isEmpty: Bool { count == 0 }

  // MARK: Storing

  /// Stores a cookie in place of one with the same name, domain and path. One that has ended removes it.
  ///
  /// - Parameters:
  ///   - holder: The object by which it is known, if there is one.
  ///   - isOld: It comes from a file that does not tell when it was created: before all others.
  package mutating func store(
    _ cookie: Cookie, _ holder: (any Holder)? = nil, now: Double, isOld: Bool = false
  ) {
    serial += 1
    guard let place = place(of: cookie) else {
      if cookie.hasEnded(by: now) { return }
      insert(Entry(cookie, holder, creation: isOld ? 0 : serial, serial: serial, stored: now))
      return evict(from: cookie.domain, now: now)
    }
    if cookie.hasEnded(by: now) {
      remove(at: place)
    } else {
      replace(at: place, with: cookie, holder, now: now)
    }
  }

  /// Whether an origin may set a cookie: an insecure one must not put its cookies in front of secure ones (§5.7, step 16).
  package func accepts(_ cookie: Cookie, from origin: WebOrigin) -> Bool {
    !collides(cookie) || CookieScope.isSecure(origin)
  }

  /// Whether an insecure cookie has the name of a secure one and reaches requests that carry that.
  private func collides(_ cookie: Cookie) -> Bool {
    guard !cookie.isSecure, !secureNames.isEmpty, secureNames[cookie.name] != nil else { return false }
    return domains.contains { domain in
      (CookieScope.host(domain.name, matches: cookie.domain)
        || CookieScope.host(cookie.domain, matches: domain.name))
        && domain.entries.contains {
          $0.cookie.isSecure && $0.cookie.name == cookie.name
            && CookieScope.path(cookie.path, matches: $0.cookie.path)
        }
    }
  }

  /// The place of the cookie that another one replaces.
  private func place(of cookie: Cookie) -> Place? {
    guard let domain = index(of: cookie.domain) else { return nil }
    let entries = domains[domain].entries
    for entry in entries.indices where entries[entry].cookie.hasSameIdentity(as: cookie) {
      return Place(domain: domain, entry: entry)
    }
    return nil
  }

  /// Replaces a cookie by one of the same identity. The creation time stays (§5.7, step 23).
  private mutating func replace(
    at place: Place, with cookie: Cookie, _ holder: (any Holder)?, now: Double
  ) {
    changeCount += 1
    let wasSecure = domains[place.domain].entries[place.entry].cookie.isSecure
    // Where it lies: servers set the same cookies again and again.
    domains[place.domain].entries[place.entry].replace(cookie, holder, serial, now: now)
    if wasSecure != cookie.isSecure { countSecure(cookie.name, cookie.isSecure ? 1 : -1) }
  }

  private mutating func countSecure(_ name: String, _ change: Int) {
    let count = secureNames[name, default: 0] + change
    secureNames[name] = count > 0 ? count : nil
  }

  private mutating func insert(_ entry: Entry) {
    let name = entry.cookie.domain
    if let index = index(of: name) {
      domains[index].entries.append(entry)
    } else {
      indices[name] = domains.count
      domains.append(Domain(name: name, entries: [entry]))
      lookup = nil
    }
    count += 1
    changeCount += 1
    if entry.cookie.isSecure { countSecure(entry.cookie.name, 1) }
  }

  // MARK: Removing

  /// The one way out of a jar. Of the other places, those behind it in its domain change; and where that was its domain's
  /// last cookie, those in the last domain.
  mutating func remove(at place: Place) {
    let entry = domains[place.domain].entries.remove(at: place.entry)
    if domains[place.domain].entries.isEmpty {
      domains.swapAt(place.domain, domains.count - 1)
      indices[domains.removeLast().name] = nil
      if place.domain < domains.count { indices[domains[place.domain].name] = place.domain }
      lookup = nil
    }
    count -= 1
    changeCount += 1
    if entry.cookie.isSecure { countSecure(entry.cookie.name, -1) }
  }

  /// Removes cookies; the second argument is when they were stored.
  package mutating func remove(where isGone: (Cookie, Double) -> Bool) {
    removeEntries { isGone($0.cookie, $0.stored) }
  }

  /// Removes a cookie.
  ///
  /// - Parameter isMeant: Asked for the object by which an equal one is known, if there is one.
  package mutating func remove(_ cookie: Cookie, where isMeant: ((any Holder)?) -> Bool) {
    removeEntries { $0.cookie == cookie && isMeant($0.holder) }
  }

  mutating func removeEnded(now: Double) { removeEntries { $0.cookie.hasEnded(by: now) } }

  private mutating func removeEntries(where isGone: (Entry) -> Bool) {
    // From the end, where places change.
    for domain in domains.indices.reversed() {
      for entry in domains[domain].entries.indices.reversed() where isGone(domains[domain].entries[entry]) {
        remove(at: Place(domain: domain, entry: entry))
      }
    }
  }

  // MARK: Looking up

  func index(of domain: String) -> Int? {
    if let lookup {
      for index in lookup.domains where domains[index].name == domain { return index }
    }
    return indices[domain]
  }

  /// The domains with cookies that are the host or above it, from the host upwards.
  mutating func domains(covering host: String) -> [Int] {
    if let lookup, lookup.host == host { return lookup.domains }
    var covering: [Int] = []
    let isAddress = CookieScope.isAddress(host)
    var domain = host[...]
    while true {
      if let index = indices[String(domain)] { covering.append(index) }
      guard !isAddress, let dot = domain.utf8.firstIndex(of: Byte.dot) else { break }
      domain = domain[domain.utf8.index(after: dot)...]
    }
    lookup = (host, covering)
    return covering
  }

  /// Marks a cookie as just used.
  mutating func markUsed(_ place: Place) {
    domains[place.domain].entries[place.entry].lastAccess = serial
  }

  /// The object of a cookie, made and kept if there is none yet.
  mutating func holder(at place: Place, _ make: (Cookie) -> any Holder) -> any Holder {
    if let holder = domains[place.domain].entries[place.entry].holder { return holder }
    let holder = make(domains[place.domain].entries[place.entry].cookie)
    domains[place.domain].entries[place.entry].holder = holder
    return holder
  }

  func entry(at place: Place) -> Entry { domains[place.domain].entries[place.entry] }
}
