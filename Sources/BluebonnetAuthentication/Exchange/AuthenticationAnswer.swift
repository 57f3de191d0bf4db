// SPDX-License-Identifier: MIT

/// One way of answering that was chosen, and how far it has come.
struct AuthenticationAnswer: Sendable {
  /// The next step of its scheme.
  enum Leg: Sendable {
    case basic
    case bearer
    case digest(DigestChallenge)
    case ntlmOpening
    case ntlmAnswer(NTLMChallenge)
    /// It has been proved over the connection that the request goes over: nothing is to be said.
    case ntlmProved
    /// - Parameter token: What the server has said; empty at first.
    case negotiate(NegotiateContext?, token: [UInt8])
  }

  var offer: AuthenticationOffer
  let login: Login
  /// Whether further requests may be answered for with it.
  let isKept: Bool
  /// Whether it is for requests without credentials of their own, too.
  let isShared: Bool
  var leg: Leg

  init(_ offer: AuthenticationOffer, _ login: Login, isKept: Bool, isShared: Bool = false) {
    self.offer = offer
    self.login = login
    self.isKept = isKept
    self.isShared = isShared
    leg =
      switch offer.demand {
      case .basic: .basic
      case .bearer: .bearer
      case .digest(let challenge): .digest(challenge)
      case .ntlm: .ntlmOpening
      case .negotiate: .negotiate(nil, token: [])
      }
  }
}
