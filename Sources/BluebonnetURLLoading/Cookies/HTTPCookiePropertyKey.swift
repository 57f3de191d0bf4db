/// The name of a property that a cookie is made of.
public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Wraps a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let comment = HTTPCookiePropertyKey("Comment")
  public static let commentURL = HTTPCookiePropertyKey("CommentURL")
  public static let discard = HTTPCookiePropertyKey("Discard")
  public static let domain = HTTPCookiePropertyKey("Domain")
  public static let expires = HTTPCookiePropertyKey("Expires")
  public static let maximumAge = HTTPCookiePropertyKey("Max-Age")
  public static let name = HTTPCookiePropertyKey("Name")
  public static let originURL = HTTPCookiePropertyKey("OriginURL")
  public static let path = HTTPCookiePropertyKey("Path")
  public static let port = HTTPCookiePropertyKey("Port")
  public static let sameSitePolicy = HTTPCookiePropertyKey("SameSite")
  public static let secure = HTTPCookiePropertyKey("Secure")
  public static let value = HTTPCookiePropertyKey("Value")
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

  public static let sameSiteLax = HTTPCookieStringPolicy(rawValue: "lax")
  public static let sameSiteStrict = HTTPCookieStringPolicy(rawValue: "strict")
}
