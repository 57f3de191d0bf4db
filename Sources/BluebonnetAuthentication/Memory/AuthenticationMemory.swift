import BluebonnetSemantics

/// What is known of protection spaces: which credential opens which part of a server, so that requests there need not be
/// refused first (RFC 7617 §2.2, RFC 7616 §3.6).
package struct AuthenticationMemory: Sendable {
  /// A part of a server, and what opens it.
  package struct Space: Sendable {
    package var offer: AuthenticationOffer
    package var login: Login
    /// Paths that it covers, all that is below them included.
    var paths: [String] = []

    init(offer: AuthenticationOffer, login: Login) {
      self.offer = offer
      self.login = login
    }
  }

  private struct Place: Hashable, Sendable {
    let origin: WebOrigin
    let side: AuthenticationSide
  }

  private var spaces: [Place: [Space]] = [:]

  package init() {}

  package var isEmpty: Bool { spaces.isEmpty }

  /// The space that a target is known to be in: of several, the one with the longest path.
  ///
  /// - Parameter login: Only what this opens; nil for any.
  func space(
    of origin: WebOrigin, _ side: AuthenticationSide, for target: String, login: Login?
  ) -> Space? {
    guard let known = spaces[Place(origin: origin, side: side)] else { return nil }
    var best: (space: Space, length: Int)?
    for space in known where login == nil || space.login == login {
      for path in space.paths where side == .proxy || target.hasPrefix(path) {
        if path.utf8.count > best?.length ?? -1 { best = (space, path.utf8.count) }
      }
    }
    return best?.space
  }

  /// Keeps what has opened a target.
  mutating func keep(
    _ space: Space, of origin: WebOrigin, _ side: AuthenticationSide, at target: String
  ) {
    var space = space
    space.paths = [Self.directory(of: target)]
    let place = Place(origin: origin, side: side)
    spaces[place, default: []].removeAll {
      $0.login == space.login && $0.offer.scheme == space.offer.scheme && $0.paths == space.paths
    }
    spaces[place, default: []].append(space)
  }

  /// Forgets a credential that opens a space no more.
  package mutating func forget(
    _ login: Login, _ offer: AuthenticationOffer, of origin: WebOrigin, _ side: AuthenticationSide
  ) {
    let place = Place(origin: origin, side: side)
    spaces[place]?.removeAll {
      $0.login == login && $0.offer.scheme == offer.scheme && $0.offer.realm == offer.realm
    }
    if spaces[place]?.isEmpty == true { spaces[place] = nil }
  }

  /// RFC 7617 §2.2: everything at or below the last slash of the path.
  private static func directory(of target: String) -> String {
    let path = target.prefix { $0 != "?" }
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? String(path)
  }
}
