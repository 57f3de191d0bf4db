// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension CookieJar {
  /// The value of `Cookie` for a request; nil if it carries none.
  package mutating func header(for target: TargetURI, now: Double) -> FieldValue? {
    find(target, now: now)
    if found.isEmpty { return nil }
    var length = 0
    for place in found {
      length += Cookie.headerLength(of: domains[place.domain].entries[place.entry].cookie)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    for place in found { domains[place.domain].entries[place.entry].cookie.write(to: &bytes) }
    return FieldValue(bytes: bytes)
  }

  /// The cookies of a request: longer paths first, then older cookies (§5.8.3, step 2). Of those that are equally old
  /// because a file did not say, longer domains and names first, as in curl, the source of most such files.
  package mutating func cookies(for target: TargetURI, now: Double) -> [Cookie] {
    find(target, now: now)
    return found.map { entry(at: $0).cookie }
  }

  /// The same cookies as the objects by which they are known.
  package mutating func holders(
    for target: TargetURI, now: Double, _ make: (Cookie) -> any Holder
  ) -> [any Holder] {
    find(target, now: now)
    return found.map { holder(at: $0, make) }
  }

  /// Everything that has not ended, oldest first.
  package mutating func all(now: Double) -> [Cookie] {
    places(now: now).map { entry(at: $0).cookie }
  }

  /// The same as objects.
  package mutating func allHolders(now: Double, _ make: (Cookie) -> any Holder) -> [any Holder] {
    places(now: now).map { holder(at: $0, make) }
  }

  private mutating func places(now: Double) -> [Place] {
    removeEnded(now: now)
    var places: [(place: Place, creation: Int, position: Int)] = []
    places.reserveCapacity(count)
    for (domain, cookies) in domains.enumerated() {
      for (index, entry) in cookies.entries.enumerated() {
        places.append((Place(domain: domain, entry: index), entry.creation, entry.position))
      }
    }
    places.sort { ($0.creation, $0.position) < ($1.creation, $1.position) }
    return places.map(\.place)
  }

  /// Fills `found`; what is found counts as just used.
  private mutating func find(_ target: TargetURI, now: Double) {
    found.removeAll(keepingCapacity: true)
    guard count > 0 else { return }
    serial += 1
    let host = target.origin.host
    for domain in domains(covering: host) {
      let isHost = domains[domain].name == host
      let entries = domains[domain].entries
      for index in entries.indices
      where Self.matches(entries[index].cookie, target, isHost: isHost, now: now) {
        found.append(Place(domain: domain, entry: index))
      }
    }
    for place in found { markUsed(place) }
    if found.count > 1 {
      let jar = domains
      found.sort { left, right in
        jar[left.domain].entries[left.entry].order < jar[right.domain].entries[right.entry].order
      }
    }
  }

  /// - Parameter isHost: Whether the cookie's domain is the target's host, and not above it.
  private static func matches(
    _ cookie: borrowing Cookie, _ target: borrowing TargetURI, isHost: Bool, now: Double
  ) -> Bool {
    if let expires = cookie.expires, expires <= now { return false }
    if cookie.isHostOnly, !isHost { return false }
    guard CookieScope.path(target.path, matches: cookie.path) else { return false }
    if cookie.isSecure, !CookieScope.isSecure(target.origin) { return false }
    if let ports = cookie.ports { return ports.contains(Int(target.origin.port)) }
    return true
  }
}
