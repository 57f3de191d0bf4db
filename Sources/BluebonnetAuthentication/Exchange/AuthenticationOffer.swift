// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// A challenge that can be answered here.
package struct AuthenticationOffer: Sendable, Equatable {
  /// The demands on an answer.
  enum Demand: Sendable, Equatable {
    case basic
    case bearer
    case digest(DigestChallenge)
    case ntlm
    case negotiate
  }

  package let scheme: AuthenticationScheme
  /// The protected part of the server (RFC 9110 §11.5); nil for schemes without one.
  package let realm: String?
  /// As the server wrote it.
  package let challenge: ChallengeList.Challenge
  private(set) var demand: Demand

  /// Nil for an unsupported scheme.
  package init?(_ challenge: ChallengeList.Challenge) {
    guard let scheme = AuthenticationScheme(rawValue: challenge.scheme) else { return nil }
    self.scheme = scheme
    self.challenge = challenge
    // RFC 7617 §2: a Basic challenge has a realm. What breaks that rule is taken to name the empty one.
    realm = scheme.isBoundToConnection ? nil : challenge.parameters["realm"] ?? ""
    switch scheme {
    case .basic: demand = .basic
    case .bearer: demand = .bearer
    case .ntlm: demand = .ntlm
    case .negotiate: demand = .negotiate
    case .digest:
      guard let digest = DigestChallenge(challenge) else { return nil }
      demand = .digest(digest)
    }
  }

  /// NTLM, before the peer has offered it.
  static let ntlm: AuthenticationOffer? = ChallengeList("NTLM").first("ntlm").flatMap {
    AuthenticationOffer($0)
  }

  /// The demands on a Digest answer; nil for other schemes.
  package var digest: DigestChallenge? { if case .digest(let digest) = demand { digest } else { nil } }

  /// The same offer with the nonce that the server wants to see next.
  mutating func renew(_ digest: DigestChallenge) { demand = .digest(digest) }

  /// The larger, the less an eavesdropper, an impostor, or a thief of the server's data learns. NTLM stands between the
  /// Digests: its hash is MD4's, but it proves the password in a new way for each connection.
  var strength: Int {
    switch demand {
    case .negotiate: 6
    case .digest(let digest):
      switch digest.hash {
      case .sha512Half: 5
      case .sha256: 4
      case .md5: 2
      }
    case .ntlm: 3
    // A token is no password, but a reader of it can use it.
    case .bearer: 1
    case .basic: 0
    }
  }

  /// The server's message within an exchange of several steps.
  var token: [UInt8]? { challenge.token.flatMap { Base64.decode($0) } }

  /// The most that are looked at: each may raise a question.
  static let limit = 32

  /// The supported offers among a response's challenges: the strongest first, equals in the server's order.
  package static func all(
    in fields: [FieldValue], allowing allowed: AuthenticationSchemes
  ) -> [AuthenticationOffer] {
    let offers = fields.flatMap { ChallengeList($0).challenges }.compactMap { AuthenticationOffer($0) }
      .filter { allowed.contains($0.scheme) }
    return offers.enumerated()
      .sorted { ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset) }
      .prefix(limit).map(\.element)
  }
}
