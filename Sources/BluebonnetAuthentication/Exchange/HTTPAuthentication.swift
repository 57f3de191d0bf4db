import BluebonnetHTTP1
import BluebonnetSemantics

/// The authentication of one request, with all that it takes to get through, to one side: its origin, or a proxy.
///
///              ┌──────────────────── ask ◀──────────────┐
///              ▼                                        │ refused
///     idle ──answer──▶ answering ──proof, response──▶ received ──▶ pass
///       │                  ▲                            │
///       └─ proof known ────┘ ◀───── sendAgain ──────────┘ next leg, stale nonce
///
/// For each request: ``proof(for:memory:)`` says what goes out with it, ``received(status:fields:memory:)`` what its
/// response means. Nothing here reads or writes; what outlives the request is kept in an `AuthenticationMemory`, which
/// its owner shares between requests.
package struct HTTPAuthentication: Sendable {
  /// What a response means.
  package enum Step: Sendable {
    /// It is the answer: no challenge, or one that nothing can be done about.
    case pass
    /// The request is to be sent once more, with a new proof: over the same connection or none, or over any.
    case sendAgain(overSameConnection: Bool)
    /// A credential is asked for: one of the offers, strongest first, is to be answered with
    /// ``HTTPAuthentication/answer(_:with:isKept:)``, and the request sent once more over any connection. Who has none, or none but
    /// the one that was refused, lets the response be the answer. There is at least one offer.
    case ask([AuthenticationOffer])
    /// The response must not be trusted, or the steps cannot be gone on with.
    case fail(AuthenticationFault)
  }

  package let side: AuthenticationSide
  /// Who asks: the origin, or the proxy as if it were one.
  package let place: WebOrigin
  package let allowed: AuthenticationSchemes
  /// What answers the first challenge without a question.
  package let login: Login?
  /// How many answers have been refused.
  package private(set) var failures = 0

  private var state = State.idle
  private var isPreemptive = false

  private enum State: Sendable {
    case idle
    case basic(AuthenticationOffer, Login, isKept: Bool, path: String?)
  }

  /// - Parameters:
  ///   - login: What answers challenges without a question; nil if somebody is to be asked.
  package init(
    _ side: AuthenticationSide, of place: WebOrigin, allowing allowed: AuthenticationSchemes = .all,
    login: Login? = nil
  ) {
    self.side = side
    self.place = place
    self.allowed = allowed
    self.login = login
  }

  /// What is proved is bound to the connection: the one that the next request goes over has to be kept, and to be closed
  /// rather than used for others afterwards.
  package var isBoundToConnection: Bool { false }

  /// The next request only opens the exchange: it goes out without its content, with `Content-Length: 0`, because it will be
  /// refused (MS-NTHT; curl does the same).
  package var withholdsContent: Bool { false }

  /// What goes out with the next request.
  ///
  /// - Throws: if no proof can be made.
  package mutating func proof(
    for request: AuthenticatedRequest, memory: inout AuthenticationMemory
  ) throws(AuthenticationFault) -> AuthenticationProof {
    switch state {
    case .idle:
      guard let known = memory.space(of: place, side, for: request.target, login: login) else { return .none }
      isPreemptive = true
      state = .basic(known.offer, known.login, isKept: true, path: request.target)
    case .basic(let offer, let login, let isKept, _):
      isPreemptive = false
      state = .basic(offer, login, isKept: isKept, path: request.target)
    }
    guard case .basic(_, .password(let user, let password), _, _) = state else { return .none }
    return .field(BasicCredentials.authorization(user: user.utf8, password: password.utf8))
  }

  /// What `AuthenticationProof.later` has come to.
  ///
  /// - Returns: The field's value; nil if another offer is answered instead, for which ``proof(for:memory:)`` is to be asked.
  package mutating func made(
    _ result: Result<String, AuthenticationFault>
  ) throws(AuthenticationFault) -> String? {
    try result.get()
  }

  /// What the response to the last request means.
  package mutating func received(
    status: Int, fields: FieldBlock, memory: inout AuthenticationMemory
  ) -> Step {
    guard status == side.status else {
      accepted(&memory)
      return .pass
    }
    let offers = AuthenticationOffer.all(in: fields.values(side.challengeField), allowing: allowed)
      .filter { $0.scheme == .basic }
    refused(&memory)
    if offers.isEmpty { return .pass }
    if failures == 0, let login, let offer = offers.first(where: { login.fits($0.scheme) }) {
      answer(offer, with: login)
      return .sendAgain(overSameConnection: false)
    }
    return .ask(offers)
  }

  /// Answers one of the offers that were asked about.
  ///
  /// - Parameter isKept: Whether further requests may use the credential without being asked.
  package mutating func answer(
    _ offer: AuthenticationOffer, with login: Login, isKept: Bool = true
  ) {
    assert(login.fits(offer.scheme), "a login answers what it fits")
    state = .basic(offer, login, isKept: isKept, path: nil)
  }

  /// The connection that the next leg is bound to is gone: the steps begin anew.
  ///
  /// - Throws: if that has happened before.
  package mutating func connectionLost() throws(AuthenticationFault) {}

  private mutating func accepted(_ memory: inout AuthenticationMemory) {
    if case .basic(let offer, let login, isKept: true, let path?) = state, !isPreemptive {
      memory.keep(AuthenticationMemory.Space(offer: offer, login: login), of: place, side, at: path)
    }
  }

  private mutating func refused(_ memory: inout AuthenticationMemory) {
    guard case .basic(let offer, let login, _, _) = state else { return }
    memory.forget(login, offer, of: place, side)
    failures += 1
    state = .idle
  }
}
