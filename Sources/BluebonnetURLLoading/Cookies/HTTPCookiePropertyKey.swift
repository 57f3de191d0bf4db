/// The name of a property that a cookie is made of.
public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Wraps a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// What the server says about the cookie.
  public static let comment = HTTPCookiePropertyKey("Comment")
  /// Where it says so.
  public static let commentURL = HTTPCookiePropertyKey("CommentURL")
  /// Whether the cookie ends with the session.
  public static let discard = HTTPCookiePropertyKey("Discard")
  /// The domain.
  public static let domain = HTTPCookiePropertyKey("Domain")
  /// A date, or its text.
  public static let expires = HTTPCookiePropertyKey("Expires")
  /// Seconds that the cookie lives, as text.
  public static let maximumAge = HTTPCookiePropertyKey("Max-Age")
  /// The name.
  public static let name = HTTPCookiePropertyKey("Name")
  /// The address that set the cookie.
  public static let originURL = HTTPCookiePropertyKey("OriginURL")
  /// The path.
  public static let path = HTTPCookiePropertyKey("Path")
  /// The ports, as text.
  public static let port = HTTPCookiePropertyKey("Port")
  /// When other sites may cause the cookie to be sent.
  public static let sameSitePolicy = HTTPCookiePropertyKey("SameSite")
  /// Whether the cookie travels over TLS only.
  public static let secure = HTTPCookiePropertyKey("Secure")
  /// The value.
  public static let value = HTTPCookiePropertyKey("Value")
  /// The version of the syntax, as text.
  public static let version = HTTPCookiePropertyKey("Version")
  /// Not one of Apple's: whether scripts are kept from seeing the cookie.
  package static let httpOnly = HTTPCookiePropertyKey("HttpOnly")
}

/// The value of a `SameSite` attribute.
public struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
  /// The value.
  public let rawValue: String

  /// Wraps a value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Sent when a person follows a link from another site.
  public static let sameSiteLax = HTTPCookieStringPolicy(rawValue: "lax")
  /// Never sent on behalf of another site.
  public static let sameSiteStrict = HTTPCookieStringPolicy(rawValue: "strict")
}
