import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetSemantics
import Synchronization

// Unchecked: the stored members are a mutex and an atomic.
/// Cookies in memory, kept and sent by RFC 6265. May be used from any thread.
///
/// A subclass may keep them elsewhere: sessions call its methods on a serial queue of theirs, and loads wait for them. It answers
/// for its own members, which several sessions may ask at once.
open class HTTPCookieStorage: @unchecked Sendable {
  private struct Members {
    var policy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var jar = CookieJar<HTTPCookie>()
  }

  private let members = Locked(Members())

  /// The storage of `URLSessionConfiguration.default`, shared by the whole process.
  public static let shared = HTTPCookieStorage()

  package init() {}

  private static let groups = Locked<[String: HTTPCookieStorage]>([:])

  /// A storage for a group of apps: here one for all of this process that name the same group.
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

  private func change(_ body: (inout Members) -> Void) {
    members.withLock { members in
      body(&members)
      hasCookies.store(!members.jar.isEmpty, ordering: .releasing)
    }
  }

  /// All cookies that have not expired. Never `nil`.
  open var cookies: [HTTPCookie]? {
    let now = Date().timeIntervalSince1970
    return members.withLock { $0.jar.all(now: now) }
  }

  /// Which cookies of responses are stored; `.onlyFromMainDocumentDomain` by default. `.never` keeps ``setCookie(_:)``
  /// from storing, too.
  open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get { members.withLock { $0.policy } }
    set { members.withLock { $0.policy = newValue } }
  }

  /// Stores a cookie, in place of one with the same name, domain and path.
  open func setCookie(_ cookie: HTTPCookie) {
    let now = Date().timeIntervalSince1970
    change { members in
      if members.policy != .never { members.jar.store(cookie, now: now) }
    }
  }

  /// Removes a cookie, if it is stored.
  open func deleteCookie(_ cookie: HTTPCookie) {
    change { $0.jar.remove { stored, _ in stored == cookie } }
  }

  /// Forgets cookies that were stored after a date.
  open func removeCookies(since date: Date) {
    change { $0.jar.remove { _, created in created > date.timeIntervalSince1970 } }
  }

  /// The cookies that a request for `url` carries, in the order in which they are sent.
  open func cookies(for url: URL) -> [HTTPCookie]? {
    guard let target = try? TargetURI.of(url) else { return nil }
    let now = Date().timeIntervalSince1970
    return members.withLock { $0.jar.cookies(for: target, now: now) }
  }

  /// Stores what `url` has set, if the policy allows it next to `mainDocumentURL`.
  open func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
    guard accepts(from: url, mainDocumentURL: mainDocumentURL) else { return }
    for cookie in cookies { setCookie(cookie) }
  }

  private func accepts(from url: URL?, mainDocumentURL: URL?) -> Bool {
    switch cookieAcceptPolicy {
    case .always: return true
    case .never: return false
    case .onlyFromMainDocumentDomain: return Self.isFirstParty(url, to: mainDocumentURL)
    }
  }

  /// Whether both are of one site, or there is no document to compare with.
  static func isFirstParty(_ url: URL?, to mainDocumentURL: URL?) -> Bool {
    guard let document = Self.host(of: mainDocumentURL), let host = Self.host(of: url) else { return true }
    return CookieScope.isSameSite(host, document)
  }

  private static func host(of url: URL?) -> String? {
    url.flatMap { try? TargetURI.of($0).origin.host }
  }
}
