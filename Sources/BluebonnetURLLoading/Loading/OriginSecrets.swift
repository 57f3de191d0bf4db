import BluebonnetFoundation

/// What a load may show to the origin where it is: the session's secrets and those of its URL are meant for the origin
/// that the caller named.
struct OriginSecrets: Sendable {
  /// Fields that prove or tell who the caller is (Fetch, "HTTP-redirect fetch"; Go and curl drop the same).
  static let fieldNames = ["Authorization", "Proxy-Authorization", "Cookie"]

  /// Fields that are kept from other origins. `Host` is no secret, but names the origin.
  static let boundFieldNames = fieldNames + ["Host"]

  /// Whether a field of the session's is kept from other origins.
  static func isBound(_ name: String) -> Bool {
    boundFieldNames.contains { name.equalsIgnoringASCIICase($0) }
  }

  /// The `Authorization` that a URL's user information amounts to.
  private(set) var authorization: String?
  /// A redirect has led to another origin. That cannot be undone by one that leads back: its path was chosen elsewhere.
  private(set) var hasLeft = false

  /// Takes over the user information of a URL that is about to be loaded.
  mutating func take(from target: RequestTarget) {
    if let information = target.userInformation { authorization = information.authorization }
  }

  /// Goes on from one address to the next, whose user information it takes over (as curl and Go do: what a `Location`
  /// names is no secret of the caller's, and goes nowhere but there).
  ///
  /// - Returns: Whether the next one is another origin's.
  mutating func move(from old: URL?, to next: inout URLRequest) -> Bool {
    guard let url = next.url, let target = try? RequestTarget.of(url) else { return false }
    let leaves = old.flatMap { try? RequestTarget.of($0) }?.origin != target.origin
    if leaves {
      hasLeft = true
      authorization = nil
    }
    guard target.userInformation != nil else { return leaves }
    take(from: target)
    next.url = url.withoutUserInformation
    return leaves
  }
}
