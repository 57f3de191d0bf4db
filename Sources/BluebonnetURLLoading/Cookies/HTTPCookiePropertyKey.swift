// SPDX-License-Identifier: MIT

/// The name of a property that a cookie is made of.
public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
  /// The name of the property, such as `Domain`.
  public let rawValue: String

  /// Makes a key of a property's name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Makes a key of a property's name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The server's comment on the cookie.
  public static let comment = HTTPCookiePropertyKey("Comment")
  /// The URL of a comment on the cookie's purpose, as text or `URL`.
  public static let commentURL = HTTPCookiePropertyKey("CommentURL")
  /// Whether the cookie ends with the session.
  public static let discard = HTTPCookiePropertyKey("Discard")
  /// The domain of the cookie, as text; with a dot before it, its subdomains are meant, too.
  public static let domain = HTTPCookiePropertyKey("Domain")
  /// The cookie's end: a `Date`, or its text.
  public static let expires = HTTPCookiePropertyKey("Expires")
  /// Seconds that the cookie lives, as text.
  public static let maximumAge = HTTPCookiePropertyKey("Max-Age")
  /// The name of the cookie, as text. Required.
  public static let name = HTTPCookiePropertyKey("Name")
  /// The URL that set the cookie, as text or `URL`; stands in for a missing domain.
  public static let originURL = HTTPCookiePropertyKey("OriginURL")
  /// The path of the cookie, as text. Required.
  public static let path = HTTPCookiePropertyKey("Path")
  /// The ports that the cookie may be sent to: text such as `80,8080`.
  public static let port = HTTPCookiePropertyKey("Port")
  /// The cookie's use in other sites' requests.
  public static let sameSitePolicy = HTTPCookiePropertyKey("SameSite")
  /// Whether the cookie travels over TLS only.
  public static let secure = HTTPCookiePropertyKey("Secure")
  /// The value of the cookie, as text. Required.
  public static let value = HTTPCookiePropertyKey("Value")
  /// The version of the syntax, as text.
  public static let version = HTTPCookiePropertyKey("Version")
  /// Not one of Apple's: whether scripts are kept from seeing the cookie.
  package static let httpOnly = HTTPCookiePropertyKey("HttpOnly")
}

/// The value of a cookie's `SameSite` attribute (RFC 6265bis §4.1.2.7).
public struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
  /// The attribute's value as text, such as `lax`.
  public let rawValue: String

  /// Wraps the attribute's value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Sent when a person follows a link from another site.
  public static let sameSiteLax = HTTPCookieStringPolicy(rawValue: "lax")
  /// Never sent on behalf of another site.
  public static let sameSiteStrict = HTTPCookieStringPolicy(rawValue: "strict")
}
