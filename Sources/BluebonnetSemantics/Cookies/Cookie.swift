/// A cookie (RFC 6265 §5.3).
package struct Cookie: Sendable, Equatable {
  package var name: String
  package var value: String
  /// In lower case, without a dot in front.
  package var domain: String
  /// Whether hosts below the domain are excluded (RFC 6265 §5.3, step 6).
  package var isHostOnly: Bool
  package var path: String
  /// When the cookie ends, in seconds since the start of 1970; nil for the end of the session.
  package var expires: Double?
  package var isSecure = false
  package var isHTTPOnly = false
  /// In lower case.
  package var sameSite: String?
  /// The ports that the cookie is sent to; nil for all.
  package var ports: [Int]?

  package init(name: String, value: String, domain: String, isHostOnly: Bool, path: String) {
    self.name = name
    self.value = value
    self.domain = domain
    self.isHostOnly = isHostOnly
    self.path = path
  }

  /// One cookie takes the place of another with the same name, domain and path (RFC 6265 §5.3, step 11).
  package func hasSameIdentity(as other: Cookie) -> Bool {
    name == other.name && path == other.path && domain == other.domain && isHostOnly == other.isHostOnly
  }

  package func hasEnded(by now: Double) -> Bool { expires.map { $0 <= now } ?? false }
}
