import BluebonnetFoundation
import BluebonnetSemantics

/// A cookie (RFC 6265).
public final class HTTPCookie: Sendable, Hashable, CookieHolder {
  /// Which cookies are stored.
  public enum AcceptPolicy: UInt, Sendable, Hashable {
    case always = 0
    case never = 1
    case onlyFromMainDocumentDomain = 2
  }

  /// What the rules of cookies are about.
  package let cookie: Cookie
  private let remarks: Remarks

  /// What no rule asks for.
  struct Remarks: Sendable, Equatable {
    /// As it was stated, where seconds would be another number.
    var expires: Date?
    var comment: String?
    var commentURL: URL?
    var version = 0
  }

  init(_ cookie: Cookie, _ remarks: Remarks) {
    self.cookie = cookie
    self.remarks = remarks
  }

  convenience init(_ cookie: Cookie) {
    let expires = cookie.expires.map { $0.isFinite ? Date(timeIntervalSince1970: $0) : .distantPast }
    self.init(cookie, Remarks(expires: expires))
  }

  /// Makes a cookie; fails without a name, a value, a path, and a domain or an origin.
  public convenience init?(properties: [HTTPCookiePropertyKey: Any]) {
    guard let cookie = Cookie(properties: properties) else { return nil }
    self.init(cookie, Remarks(properties: properties))
  }

  /// The name.
  public var name: String { cookie.name }
  /// The value.
  public var value: String { cookie.value }
  /// The domain, with a dot in front if it covers hosts below it.
  public var domain: String { cookie.isHostOnly ? cookie.domain : "." + cookie.domain }
  /// The path that the cookie covers.
  public var path: String { cookie.path }
  /// When the cookie ends; `nil` for the end of the session.
  public var expiresDate: Date? { remarks.expires }
  /// Whether the cookie ends with the session.
  public var isSessionOnly: Bool { cookie.expires == nil }
  /// Whether the cookie travels over TLS only.
  public var isSecure: Bool { cookie.isSecure }
  /// Whether scripts are kept from seeing the cookie.
  public var isHTTPOnly: Bool { cookie.isHTTPOnly }
  /// What the server says about the cookie.
  public var comment: String? { remarks.comment }
  /// Where the server says something about the cookie.
  public var commentURL: URL? { remarks.commentURL }
  /// The ports that the cookie is sent to; `nil` for all.
  public var portList: [Int]? { cookie.ports }
  /// The version of the cookie's syntax.
  public var version: Int { remarks.version }
  /// On which requests of other sites the cookie is sent.
  public var sameSitePolicy: HTTPCookieStringPolicy? {
    cookie.sameSite.map { HTTPCookieStringPolicy(rawValue: $0) }
  }

  /// Cookies are equal if all their members are.
  public static func == (left: HTTPCookie, right: HTTPCookie) -> Bool {
    left.cookie == right.cookie && left.remarks == right.remarks
  }

  /// Feeds what names the cookie.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(cookie.name)
    hasher.combine(cookie.domain)
    hasher.combine(cookie.path)
  }
}
