import BluebonnetSemantics

/// A challenge that can be answered here.
package struct AuthenticationOffer: Sendable, Equatable {
  package let scheme: AuthenticationScheme
  /// Which part of the server is meant (RFC 9110 §11.5); nil for schemes without one.
  package let realm: String?
  /// As the server wrote it.
  package let challenge: ChallengeList.Challenge

  /// Nil for a scheme that is not spoken here.
  init?(_ challenge: ChallengeList.Challenge) {
    guard let scheme = AuthenticationScheme(rawValue: challenge.scheme) else { return nil }
    self.scheme = scheme
    self.challenge = challenge
    // RFC 7617 §2: a Basic challenge has a realm. What breaks that rule is taken to name the empty one.
    realm = scheme.isBoundToConnection ? nil : challenge.parameters["realm"] ?? ""
  }

  /// The larger, the less is given away to who listens or lies.
  var strength: Int {
    switch scheme {
    case .negotiate: 6
    case .digest: 4
    case .ntlm: 3
    case .bearer: 1
    case .basic: 0
    }
  }

  /// What can be answered of a response's challenges: the strongest first, equals in the server's order.
  static func all(in fields: [String], allowing allowed: AuthenticationSchemes) -> [AuthenticationOffer] {
    let offers = fields.flatMap { ChallengeList($0).challenges }.compactMap { AuthenticationOffer($0) }
      .filter { allowed.contains($0.scheme) }
    return offers.enumerated()
      .sorted { ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset) }
      .map(\.element)
  }
}
