import BluebonnetFoundation

/// A cookie (RFC 6265).
public final class HTTPCookie: Sendable, Hashable {
  /// Which cookies are stored.
  public enum AcceptPolicy: UInt, Sendable, Hashable {
    case always = 0
    case never = 1
    case onlyFromMainDocumentDomain = 2
  }

  let fields: Fields

  init(_ fields: Fields) { self.fields = fields }

  /// Makes a cookie; fails without a name, a value, a path, and a domain or an origin.
  public convenience init?(properties: [HTTPCookiePropertyKey: Any]) {
    guard let fields = Fields(properties: properties) else { return nil }
    self.init(fields)
  }

  /// The name.
  public var name: String { fields.name }
  /// The value.
  public var value: String { fields.value }
  /// The domain, with a dot in front if it covers hosts below it.
  public var domain: String { fields.isHostOnly ? fields.domain : "." + fields.domain }
  /// The path that the cookie covers.
  public var path: String { fields.path }
  /// When the cookie ends; `nil` for the end of the session.
  public var expiresDate: Date? { fields.expires }
  /// Whether the cookie ends with the session.
  public var isSessionOnly: Bool { fields.expires == nil }
  /// Whether the cookie travels over TLS only.
  public var isSecure: Bool { fields.isSecure }
  /// Whether scripts are kept from seeing the cookie.
  public var isHTTPOnly: Bool { fields.isHTTPOnly }
  /// What the server says about the cookie.
  public var comment: String? { fields.comment }
  /// Where the server says something about the cookie.
  public var commentURL: URL? { fields.commentURL }
  /// The ports that the cookie is sent to; `nil` for all.
  public var portList: [Int]? { fields.ports }
  /// The version of the cookie's syntax.
  public var version: Int { fields.version }
  /// On which requests of other sites the cookie is sent.
  public var sameSitePolicy: HTTPCookieStringPolicy? { fields.sameSite }

  /// Cookies are equal if all their members are.
  public static func == (left: HTTPCookie, right: HTTPCookie) -> Bool { left.fields == right.fields }

  /// Feeds what names the cookie.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fields.name)
    hasher.combine(fields.domain)
    hasher.combine(fields.path)
  }
}
