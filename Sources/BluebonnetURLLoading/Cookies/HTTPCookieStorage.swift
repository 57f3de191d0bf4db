// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetSemantics
import Synchronization

// Unchecked: the stored members are a mutex, an atomic and a constant.
/// Cookies, kept and sent by RFC 6265bis: in memory, and in a file if it is made with one. May be used from any thread.
///
/// A subclass may keep them elsewhere: sessions call its methods on a serial queue of theirs, and loads wait for them. It answers
/// for its own members, which several sessions may ask at once.
///
/// A domain keeps 180 cookies, a storage 3,300. The excess goes in the order of §5.7: ended cookies first, then
/// insecure ones of domains with more than 50, then others of such domains, then all; among equals, the cookie unsent for
/// longest.
open class HTTPCookieStorage: @unchecked Sendable {
  private struct Members {
    var policy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var jar = CookieJar()
  }

  private let members = Locked(Members())
  let keeping: CookieFileKeeping?

  /// The storage of `URLSessionConfiguration.default`, shared by the whole process. In memory.
  public static let shared = HTTPCookieStorage()

  /// Makes an empty storage in memory.
  public init() { keeping = nil }

  /// Makes a storage that is kept in a file.
  init(keeping: CookieFileKeeping, holding cookies: [HTTPCookie]) {
    self.keeping = keeping
    let now = HTTPCookieStorage.now
    members.withLock { members in
      for cookie in cookies { members.jar.store(cookie.cookie, cookie, now: now, isOld: true) }
      hasCookies.store(!members.jar.isEmpty, ordering: .releasing)
    }
  }

  private static let groups = Locked<[String: HTTPCookieStorage]>([:])

  /// A storage for a group of apps: here one in memory for all of this process that name the same group. Processes share
  /// cookies through a file, if at all.
  open class func sharedCookieStorage(forGroupContainerIdentifier identifier: String) -> HTTPCookieStorage {
    groups.withLock { groups in
      let storage = groups[identifier] ?? HTTPCookieStorage()
      groups[identifier] = storage
      return storage
    }
  }

  /// Read without the lock, because most loads find no cookie at all.
  private let hasCookies = Atomic(false)

  var isEmpty: Bool { !hasCookies.load(ordering: .acquiring) }

  /// The system's time, by which all calls go that no load makes, in seconds since 1970.
  private static var now: Double { Date().timeIntervalSince1970 }

  private func change(_ body: (inout Members) -> Void) {
    let hasChanged = members.withLock { members in
      let before = members.jar.changeCount
      body(&members)
      hasCookies.store(!members.jar.isEmpty, ordering: .releasing)
      return members.jar.changeCount != before
    }
    guard hasChanged else { return }
    keeping?.noteChange(of: self)
    CookieNotifications.post(.cookies, by: self)
  }

  /// All cookies that have not expired, oldest first. Never `nil`.
  open var cookies: [HTTPCookie]? {
    let now = Self.now
    let found = members.withLock { $0.jar.allHolders(now: now) { HTTPCookie($0) } }
    return found.compactMap { $0 as? HTTPCookie }
  }

  /// The cookies of responses that are stored; `.onlyFromMainDocumentDomain` by default. `.never` keeps ``setCookie(_:)``
  /// from storing, too.
  open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get { members.withLock { $0.policy } }
    set {
      let hasChanged = members.withLock { members in
        defer { members.policy = newValue }
        return members.policy != newValue
      }
      if hasChanged { CookieNotifications.post(.acceptPolicy, by: self) }
    }
  }

  /// Stores a cookie, in place of one with the same name, domain and path.
  open func setCookie(_ cookie: HTTPCookie) {
    let now = Self.now
    change { members in
      if members.policy != .never { members.jar.store(cookie.cookie, cookie, now: now) }
    }
  }

  /// Removes a cookie, if it is stored.
  open func deleteCookie(_ cookie: HTTPCookie) {
    change { members in
      members.jar.remove(cookie.cookie) { holder in
        (holder as? HTTPCookie ?? HTTPCookie(cookie.cookie)) == cookie
      }
    }
  }

  /// Forgets cookies that were stored after a date.
  open func removeCookies(since date: Date) {
    change { $0.jar.remove { _, stored in stored > date.timeIntervalSince1970 } }
  }

  /// The cookies that a request for `url` carries, in the order in which they are sent: longer paths first, then older
  /// cookies.
  open func cookies(for url: URL) -> [HTTPCookie]? { storedCookies(for: url, now: Self.now) }

  private func storedCookies(for url: URL, now: Double) -> [HTTPCookie]? {
    guard let target = try? TargetURI.of(url) else { return nil }
    return storedCookies(for: target, now: now)
  }

  private func storedCookies(for target: TargetURI, now: Double) -> [HTTPCookie] {
    let found = members.withLock { $0.jar.holders(for: target, now: now) { HTTPCookie($0) } }
    return found.compactMap { $0 as? HTTPCookie }
  }

  /// Stores cookies that `url` has set, if the policy allows it next to `mainDocumentURL`.
  ///
  /// Cookies of other domains are left out: the host of `url` has to be the cookie's domain, or below it where that has a dot in
  /// front (RFC 6265bis §5.7, step 10). All are left out for any but an `http`, `https`, `ws` or `wss` URL. A cookie from an
  /// insecure connection neither replaces a secure cookie nor takes precedence over one (step 16).
  open func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
    guard let origin = url.flatMap({ try? TargetURI.of($0).origin }),
      accepts(from: url, mainDocumentURL: mainDocumentURL)
    else { return }
    // One by one, since a subclass may store them elsewhere.
    for cookie in cookies where cookie.covers(origin.host) {
      if members.withLock({ $0.jar.accepts(cookie.cookie, from: origin) }) { setCookie(cookie) }
    }
  }

  /// ``cookies(for:)`` for a load, at a moment of its loop's wall clock. A subclass is called as it is, and has the time from elsewhere.
  final func cookies(for url: URL, at target: TargetURI?, now: Double) -> [HTTPCookie]? {
    guard type(of: self) == HTTPCookieStorage.self else { return cookies(for: url) }
    guard let target else { return storedCookies(for: url, now: now) }
    return storedCookies(for: target, now: now)
  }

  /// The value of `Cookie` for a load, out of this storage itself.
  final func storedHeader(for target: TargetURI, now: Double) -> FieldValue? {
    members.withLock { $0.jar.header(for: target, now: now) }
  }

  /// ``setCookies(_:for:mainDocumentURL:)`` of the storage itself, for a load.
  ///
  /// - Parameters:
  ///   - isAccepted: Whether the policy allows them that is in force here.
  final func store(
    _ cookies: [Cookie], from target: TargetURI, now: Double,
    isAccepted: (HTTPCookie.AcceptPolicy) -> Bool
  ) {
    change { members in
      guard isAccepted(members.policy) else { return }
      for cookie in cookies where members.jar.accepts(cookie, from: target.origin) {
        members.jar.store(cookie, now: now)
      }
    }
  }

  private func accepts(from url: URL?, mainDocumentURL: URL?) -> Bool {
    switch cookieAcceptPolicy {
    case .always: return true
    case .never: return false
    case .onlyFromMainDocumentDomain: return Self.isFirstParty(url, to: mainDocumentURL)
    }
  }

  /// Whether both are of one site, or there is no document to compare with.
  static func isFirstParty(
    _ url: URL?, to mainDocumentURL: URL?,
    suffixes: @autoclosure () -> PublicSuffixRules = PublicSuffixList.inUse.rules
  ) -> Bool {
    guard let document = Self.host(of: mainDocumentURL), let host = Self.host(of: url) else { return true }
    return CookieScope.isSameSite(host, document, suffixes: suffixes())
  }

  private static func host(of url: URL?) -> String? {
    url.flatMap { try? TargetURI.of($0).origin.host }
  }
}

extension HTTPCookie {
  /// Whether a host, in its canonical form, is one that the cookie is sent to.
  fileprivate func covers(_ host: String) -> Bool {
    cookie.isHostOnly ? host == cookie.domain : CookieScope.host(host, matches: cookie.domain)
  }
}

extension HTTPCookieStorage {
  /// All cookies that have not expired, in an order of the caller's: the first comparator decides, the next one where that
  /// finds them equal, and where all do, the older cookie goes first.
  public func sortedCookies<Comparator: SortComparator>(using comparators: [Comparator]) -> [HTTPCookie]
  where Comparator.Compared == HTTPCookie {
    sorted { left, right in
      comparators.lazy.map { $0.compare(left, right) }.first { $0 != .orderedSame } ?? .orderedSame
    }
  }

  #if Foundation
    /// All cookies that have not expired, in an order of the caller's: the first descriptor decides, the next one where that
    /// finds them equal, and where all do, the older cookie goes first.
    public func sortedCookies(using sortOrder: [NSSortDescriptor]) -> [HTTPCookie] {
      sorted { left, right in
        sortOrder.lazy.map { $0.compare(left, to: right) }.first { $0 != .orderedSame } ?? .orderedSame
      }
    }
  #endif

  /// Equal ones stay in their order.
  private func sorted(_ compare: (HTTPCookie, HTTPCookie) -> ComparisonResult) -> [HTTPCookie] {
    (cookies ?? []).enumerated().sorted { left, right in
      switch compare(left.element, right.element) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: left.offset < right.offset
      }
    }.map(\.element)
  }
}
