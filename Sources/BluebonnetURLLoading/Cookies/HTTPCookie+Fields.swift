import BluebonnetFoundation

extension HTTPCookie {
  /// A cookie's members as a value.
  package struct Fields: Sendable, Equatable {
    package var name: String
    package var value: String
    /// In lower case, without a dot in front.
    package var domain: String
    /// Whether hosts below the domain are excluded (RFC 6265 §5.3, step 6).
    package var isHostOnly: Bool
    package var path: String
    package var expires: Date?
    package var isSecure = false
    package var isHTTPOnly = false
    package var sameSite: HTTPCookieStringPolicy?
    package var comment: String?
    package var commentURL: URL?
    package var ports: [Int]?
    package var version = 0

    package init(name: String, value: String, domain: String, isHostOnly: Bool, path: String) {
      self.name = name
      self.value = value
      self.domain = domain
      self.isHostOnly = isHostOnly
      self.path = path
    }
  }
}
