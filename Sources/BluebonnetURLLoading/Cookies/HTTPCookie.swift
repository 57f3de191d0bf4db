// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// A cookie: a name and a value, and where and for how long they are sent (RFC 6265). Immutable.
public final class HTTPCookie: Sendable, Hashable {
  /// The cookies of responses that are stored.
  public enum AcceptPolicy: UInt, Sendable, Hashable {
    /// All cookies that RFC 6265 allows a server to set.
    case always = 0
    /// No cookies.
    case never = 1
    /// Cookies of the site that the request's `mainDocumentURL` is on; all, for a request without one.
    case onlyFromMainDocumentDomain = 2
  }

  /// The part that the rules of cookies are about.
  package let cookie: Cookie
  private let remarks: Remarks

  /// The part that no rule asks for.
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

  /// The name, which servers tell cookies apart by.
  public var name: String { cookie.name }
  /// The value, as the server sent it.
  public var value: String { cookie.value }
  /// The domain, with a dot in front if it covers hosts below it.
  public var domain: String { cookie.isHostOnly ? cookie.domain : "." + cookie.domain }
  /// The path below which the cookie is sent; always begins with a slash.
  public var path: String { cookie.path }
  /// The end of the cookie; `nil` for the end of the session.
  public var expiresDate: Date? { remarks.expires }
  /// Whether the cookie ends with the session.
  public var isSessionOnly: Bool { cookie.expires == nil }
  /// Whether the cookie travels over TLS only.
  public var isSecure: Bool { cookie.isSecure }
  /// Whether scripts are kept from seeing the cookie.
  public var isHTTPOnly: Bool { cookie.isHTTPOnly }
  /// The server's comment on the cookie.
  public var comment: String? { remarks.comment }
  /// The address of the server's comment on the cookie.
  public var commentURL: URL? { remarks.commentURL }
  /// The ports that the cookie is sent to; `nil` for all.
  public var portList: [Int]? { cookie.ports }
  /// The version of the syntax that set the cookie: 0, or 1 where that was stated.
  public var version: Int { remarks.version }
  /// On which requests of other sites the cookie is sent.
  public var sameSitePolicy: HTTPCookieStringPolicy? {
    cookie.sameSite.map { HTTPCookieStringPolicy(rawValue: $0) }
  }

  /// Cookies are equal if all their members are.
  public static func == (left: HTTPCookie, right: HTTPCookie) -> Bool {
    left.cookie == right.cookie && left.remarks == right.remarks
  }

  /// Hashes what tells cookies apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(cookie.name)
    hasher.combine(cookie.domain)
    hasher.combine(cookie.path)
  }
}
