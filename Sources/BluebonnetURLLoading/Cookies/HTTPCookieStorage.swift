import BluebonnetFoundation
import Synchronization

// Unchecked: the only stored member is a mutex.
/// Cookies in memory.
open class HTTPCookieStorage: @unchecked Sendable {
  private struct Members {
    var policy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var cookies: [HTTPCookie] = []
  }

  private let members = Mutex(Members())

  /// The storage of default configurations.
  public static let shared = HTTPCookieStorage()

  package init() {}

  /// All cookies.
  open var cookies: [HTTPCookie]? { members.withLock { $0.cookies } }

  /// Which cookies are stored.
  open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get { members.withLock { $0.policy } }
    set { members.withLock { $0.policy = newValue } }
  }

  /// Stores a cookie, in place of one with the same name, domain and path.
  open func setCookie(_ cookie: HTTPCookie) {
    members.withLock { $0.cookies.append(cookie) }
  }

  /// Forgets a cookie.
  open func deleteCookie(_ cookie: HTTPCookie) {
    members.withLock { members in members.cookies.removeAll { $0 == cookie } }
  }

  /// Forgets cookies that were stored after a date.
  open func removeCookies(since date: Date) { members.withLock { $0.cookies = [] } }

  /// The cookies that a request for `url` carries.
  open func cookies(for url: URL) -> [HTTPCookie]? { cookies }
}
