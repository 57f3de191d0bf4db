// SPDX-License-Identifier: MIT

/// Cookies in the order in which they came: a value.
struct CookieList: Equatable, Sendable {
  /// The properties that tell cookies of one domain and one name apart (RFC 6265 §5.3, step 11).
  private struct Reach: Hashable, Sendable {
    let path: String
    let coversHostsBelow: Bool

    init(_ cookie: StoredCookie) {
      path = cookie.comparedPath
      coversHostsBelow = cookie.coversHostsBelow
    }
  }

  /// By domain in lower case, then by name, then by reach: a file may have any number of each.
  private var domains: [String: [String: [Reach: StoredCookie]]] = [:]
  private var next = 0
  /// The number of cookies set by servers.
  private var countOfServers = 0
  /// The names of cookies that are secure, or were: nearly none of an insecure one's have to be looked for.
  private var secureNames: Set<String> = []

  /// The most cookies of servers that are kept: they can set any number of them.
  private static let cookieLimit = 10_000
  /// The most cookies of one response that are kept, and that go out with a request, as in curl.
  static let limitOfResponse = 50
  private static let limitOfRequest = 150
  /// The longest field that they go out in.
  private static let lengthLimit = 8_190

  /// All of them, in their order.
  var cookies: [StoredCookie] {
    unordered.sorted { $0.number < $1.number }
  }

  private var unordered: [StoredCookie] { domains.values.flatMap { $0.values.flatMap(\.values) } }

  /// Adds a cookie, or replaces one.
  ///
  /// - Parameters:
  ///   - isSafe: Whether it could not have been changed on the way: otherwise it must not hide one that is secure (RFC
  ///     6265bis §5.7, step 16).
  ///   - isOfFile: A server's cookie of the meantime is newer.
  mutating func add(_ cookie: StoredCookie, isSafe: Bool, isOfFile: Bool = false, now: Int) {
    var cookie = cookie
    cookie.isOfServer = !isOfFile
    let (domain, name, reach) = (cookie.domain.lowercased(), cookie.name, Reach(cookie))
    if !isSafe, !cookie.isSecure, hidesSecureOne(cookie, of: domain, now: now) { return }
    // One of a file that has ended is none.
    let known = domains[domain]?[name]?[reach].flatMap { Self.isKept($0, now: now) ? $0 : nil }
    if let known, isOfFile, known.isOfServer { return }
    // One that a server has ended stays in its place, so that no file brings it back.
    if known == nil, cookie.hasEnded(by: now) { return }
    if let known {
      cookie.number = known.number
    } else {
      cookie.number = next
      next += 1
    }
    if cookie.isOfServer, known?.isOfServer != true { countOfServers += 1 }
    domains[domain, default: [:]][name, default: [:]][reach] = cookie
    if cookie.isSecure { secureNames.insert(name) }
    if countOfServers > Self.cookieLimit { removeOldestOfServers() }
  }

  private static func isKept(_ cookie: StoredCookie, now: Int) -> Bool {
    cookie.isOfServer || !cookie.hasEnded(by: now)
  }

  private func hidesSecureOne(_ cookie: StoredCookie, of domain: String, now: Int) -> Bool {
    guard secureNames.contains(cookie.name) else { return false }
    let path = cookie.comparedPath
    let dotted = "." + domain
    return domains.contains { other, names in
      // Above the domain, or below it: both go out with some of its requests.
      guard let peers = names[cookie.name],
        other == domain || other.hasSuffix(dotted) || dotted.hasSuffix("." + other)
      else { return false }
      return peers.values.contains {
        $0.isSecure && path.hasPrefix($0.comparedPath) && Self.isKept($0, now: now)
      }
    }
  }

  /// Makes room for a tenth of the limit: to look at all of them for each new one would be the server's to ask for.
  private mutating func removeOldestOfServers() {
    let numbers = unordered.filter(\.isOfServer).map(\.number)
    let oldest = numbers.sorted().prefix(max(0, numbers.count - Self.cookieLimit * 9 / 10))
    guard let last = oldest.last else { return }
    for (domain, names) in domains {
      for (name, cookies) in names {
        let kept = cookies.filter { !$0.value.isOfServer || $0.value.number > last }
        if kept.count < cookies.count { domains[domain]?[name] = kept.isEmpty ? nil : kept }
      }
      if domains[domain]?.isEmpty == true { domains[domain] = nil }
    }
    countOfServers -= oldest.count
    secureNames = Set(unordered.lazy.filter(\.isSecure).map(\.name))
  }

  /// The cookies of a request: longer paths first, then longer domains, then longer names, then the newer; nil for none.
  func header(for place: CookiePlace, now: Int) -> String? {
    // Of too many the oldest, as with curl.
    let due = reaching(place).filter { !$0.hasEnded(by: now) && $0.goes(to: place) }
    let first =
      due.count > Self.limitOfRequest
      ? Array(due.sorted { $0.number < $1.number }.prefix(Self.limitOfRequest)) : due
    let chosen = first.sorted { left, right in
      let (one, other) = (Self.rank(left), Self.rank(right))
      return one == other ? left.number > right.number : one > other
    }
    var header = ""
    var length = "Cookie: ".utf8.count
    for cookie in chosen {
      let text = (header.isEmpty ? "" : "; ") + "\(cookie.name)=\(cookie.value)"
      length += ByteText.count(text)
      guard length < Self.lengthLimit else { break }
      header += text
    }
    return header.isEmpty ? nil : header
  }

  /// Those of the host, and of the domains above it.
  private func reaching(_ place: CookiePlace) -> [StoredCookie] {
    var found: [StoredCookie] = []
    var domain = place.host.lowercased()[...]
    while true {
      if let names = domains[String(domain)] { found += names.values.flatMap(\.values) }
      guard !place.isAddress, let dot = domain.firstIndex(of: ".") else { return found }
      domain = domain[domain.index(after: dot)...]
    }
  }

  private static func rank(_ cookie: StoredCookie) -> (Int, Int, Int) {
    (cookie.path.utf8.count, cookie.domain.utf8.count, cookie.name.utf8.count)
  }

  /// The file that they are kept in, the newest first.
  func file(now: Int) -> String {
    let head = """
      # Netscape HTTP Cookie File
      # https://curl.se/docs/http-cookies.html
      # This file was generated by libcurl! Edit at your own risk.


      """
    let lines = cookies.filter { !$0.hasEnded(by: now) }.sorted { $0.number > $1.number }.map(\.line)
    return head + lines.map { $0 + "\n" }.joined()
  }
}
