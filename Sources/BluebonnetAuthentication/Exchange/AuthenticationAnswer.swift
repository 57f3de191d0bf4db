/// One way of answering that was chosen, and how far it has come.
struct AuthenticationAnswer: Sendable {
  /// The next step of its scheme.
  enum Leg: Sendable {
    case basic
    case bearer
    case digest(DigestChallenge)
    case ntlmOpening
    case ntlmAnswer(NTLMChallenge)
    /// - Parameter token: What the server has said; empty at first.
    case negotiate(NegotiateContext?, token: [UInt8])
  }

  var offer: AuthenticationOffer
  let login: Login
  /// Whether further requests may be answered for with it.
  let isKept: Bool
  var leg: Leg

  init(_ offer: AuthenticationOffer, _ login: Login, isKept: Bool) {
    self.offer = offer
    self.login = login
    self.isKept = isKept
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
