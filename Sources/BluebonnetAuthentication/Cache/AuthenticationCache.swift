// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// The known protection spaces: the credentials that open each part of a server, so that requests there need not be
/// refused first (RFC 7617 §2.2, RFC 7616 §3.6), and how often nonces have been used.
package struct AuthenticationCache: Sendable {
  /// A part of a server, and what opens it.
  package struct Space: Sendable {
    package let offer: AuthenticationOffer
    package let login: Login
    /// Paths that it covers, all that is below them included.
    let paths: [String]
    /// Whether it is for requests without credentials of their own, too.
    package let isShared: Bool

    /// The identity of a connection over which this has been authenticated.
    package func identity(at side: AuthenticationSide) -> ConnectionIdentity {
      ConnectionIdentity(side, offer.scheme, login)
    }
  }

  private struct Place: Hashable, Sendable {
    let origin: WebOrigin
    let side: AuthenticationSide
  }

  private struct Nonce: Sendable {
    let value: String
    let clientNonce: String
    var count: UInt32
  }

  /// The newest last.
  private var spaces: [Place: [Space]] = [:]
  private var nonces: [Place: [Nonce]] = [:]

  /// Servers could have any number of realms and nonces.
  static let spaceLimit = 32
  static let nonceLimit = 64
  static let placeLimit = 1_024

  package init() {}

  /// No space is known.
  package var isEmpty: Bool { spaces.isEmpty }
  /// Nothing is known at all, not even how often a nonce was used.
  package var isUnused: Bool { spaces.isEmpty && nonces.isEmpty }

  /// The space that a target is known to be in: of several, the one with the longest path, and of those the newest.
  ///
  /// - Parameters:
  ///   - login: Only spaces that this opens; nil for any.
  ///   - isShared: Only spaces for requests without credentials of their own.
  package func space(
    of origin: WebOrigin, _ side: AuthenticationSide, for target: String, login: Login?,
    isShared: Bool = false
  ) -> Space? {
    guard let known = spaces[Place(origin: origin, side: side)] else { return nil }
    var best: (space: Space, length: Int)?
    for space in known where (login == nil || space.login == login) && (!isShared || space.isShared) {
      for path in space.paths where ProtectedPaths.path(path, covers: target) {
        if path.utf8.count >= best?.length ?? 0 { best = (space, path.utf8.count) }
      }
    }
    return best?.space
  }

  /// Keeps the answer that has opened a target.
  mutating func keep(
    _ answer: AuthenticationAnswer, of origin: WebOrigin, _ side: AuthenticationSide, at target: String
  ) {
    let place = Place(origin: origin, side: side)
    let paths = ProtectedPaths.paths(of: answer.offer, origin, side, at: target)
    // The extent of a space is known for Basic by the targets it has opened; the others state it, or mean all of the server.
    func isSame(_ space: Space) -> Bool {
      space.login == answer.login && space.offer.scheme == answer.offer.scheme
        && space.offer.realm == answer.offer.realm
        && (space.offer.scheme != .basic || space.paths == paths)
    }
    // Credentials given for all requests are not taken back by the same ones given for a single request.
    let isShared = answer.isShared || (spaces[place] ?? []).contains { $0.isShared && isSame($0) }
    Self.add(
      Space(offer: answer.offer, login: answer.login, paths: paths, isShared: isShared), to: &spaces,
      at: place, limit: Self.spaceLimit, replacing: isSame)
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

  /// Counts one more use of a nonce, by whichever request: no two with one nonce have the same number (RFC 7616 §3.4).
  mutating func use(
    _ nonce: String, of origin: WebOrigin, _ side: AuthenticationSide, _ sources: AuthenticationSources
  ) throws(AuthenticationFault) -> (clientNonce: String, count: UInt32) {
    let place = Place(origin: origin, side: side)
    if let index = nonces[place]?.lastIndex(where: { $0.value == nonce }), var known = nonces[place]?[index],
      known.count < .max
    {
      known.count += 1
      nonces[place]?[index] = known
      return (known.clientNonce, known.count)
    }
    guard let random = sources.random(18) else {
      throw AuthenticationFault(.unsupported, .digest, "the system has no random numbers")
    }
    let fresh = Nonce(value: nonce, clientNonce: Base64.encode(random), count: 1)
    Self.add(fresh, to: &nonces, at: place, limit: Self.nonceLimit) { $0.value == nonce }
    return (fresh.clientNonce, 1)
  }

  /// Adds the newest of a place. Of too many the oldest goes, and of too many places one of the same side.
  private static func add<Item>(
    _ item: Item, to items: inout [Place: [Item]], at place: Place, limit: Int,
    replacing isSame: (Item) -> Bool
  ) {
    if items[place] == nil, items.count >= placeLimit,
      let other = items.keys.first(where: { $0.side == place.side }) ?? items.keys.first
    {
      items[other] = nil
    }
    var known = items[place] ?? []
    known.removeAll(where: isSame)
    if known.count >= limit { known.removeFirst() }
    items[place] = known + [item]
  }
}
