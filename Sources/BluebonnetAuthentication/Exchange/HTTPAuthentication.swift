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
///
/// Of several challenges the strongest is answered that there is a credential for: Negotiate, Digest with SHA-512/256, with
/// SHA-256, NTLM, Digest with MD5, Bearer, Basic. Once an answer has been refused, no other is given without a question: a
/// server that refuses a proof must not be told the password.
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
  /// What answers the first challenge without a question, and is sent ahead where it is known to be wanted.
  package let login: Login?
  /// How many answers have been refused.
  package internal(set) var failures = 0

  /// Until there is a response, content is held back though nothing is to be proved yet: the peer is known to ask.
  package var opensWithoutContent = false

  let sources: AuthenticationSources
  /// What goes out with the next request.
  var answer: AuthenticationAnswer?
  /// What went out with the last one.
  var sent: Sent?
  /// Weaker offers, for the case that the login cannot be proved as the chosen one wants.
  var others: [AuthenticationOffer] = []
  /// How often a nonce was too old, and a connection lost: servers could go on so for ever.
  var renewals = 0
  var losses = 0
  /// What is known of other requests is not used for this one any more.
  var isOnItsOwn = false
  /// The answer is one that nobody has asked for yet.
  var isAhead = false
  /// The field that the answer has come to before the next request is made.
  var opened: FieldValue?
  /// Connections that were taken to stand for somebody did not.
  var doubtsConnections = false
  /// Whom the connection of the last request stands for, now that it has been proved over it, as long as others may use the
  /// same credential.
  package internal(set) var proved: ConnectionIdentity?

  struct Sent: Sendable {
    let answer: AuthenticationAnswer
    let target: String
    let hasContent: Bool
    /// Nobody had asked: it was known from another request.
    let isAhead: Bool
    var digest: DigestAnswer?
  }

  static let renewalLimit = 4

  /// - Parameters:
  ///   - place: Who asks.
  ///   - allowed: Schemes that are answered at all.
  ///   - login: What answers challenges without a question; nil if somebody is to be asked.
  package init(
    _ side: AuthenticationSide, of place: WebOrigin, allowing allowed: AuthenticationSchemes = .all,
    login: Login? = nil, sources: AuthenticationSources = .system
  ) {
    self.side = side
    self.place = place
    self.allowed = allowed
    self.login = login
    self.sources = sources
  }

  /// What is proved is bound to the connection: the one that the next request goes over has to be kept, and to be closed
  /// rather than used for others afterwards, unless it is for the same ones (``proved``).
  package var isBoundToConnection: Bool {
    answer?.offer.scheme.isBoundToConnection ?? sent?.answer.offer.scheme.isBoundToConnection ?? false
  }

  /// Whom a connection would have to stand for, to be of use for the next request; nil where that does not matter.
  package var wantedIdentity: ConnectionIdentity? {
    guard let answer, answer.isKept else { return nil }
    return switch answer.leg {
    case .ntlmOpening, .ntlmProved: doubtsConnections ? nil : ConnectionIdentity(side, .ntlm, answer.login)
    // It says anew with each request who asks.
    case .negotiate(nil, _): ConnectionIdentity(side, .negotiate, answer.login)
    default: nil
    }
  }

  /// The next request goes over a connection that stands for the ``wantedIdentity`` already. If that should be wrong, the
  /// server says so, and the steps are gone through after all.
  package mutating func relyOnConnection() {
    if case .ntlmOpening = answer?.leg { answer?.leg = .ntlmProved }
  }

  /// There is no such connection any more.
  package mutating func relyOnNothing() {
    if case .ntlmProved = answer?.leg { answer?.leg = .ntlmOpening }
  }

  /// The next request only opens the exchange: it goes out without its content, with `Content-Length: 0`, because it will be
  /// refused (MS-NTHT; curl does the same).
  package var withholdsContent: Bool {
    if case .ntlmOpening = answer?.leg { true } else { opensWithoutContent && answer == nil }
  }

  /// The scheme that is being answered.
  package var scheme: AuthenticationScheme? { (answer ?? sent?.answer)?.offer.scheme }

  /// Who is proved, without what proves it: the scheme and the name. Nil while nobody is.
  package var identity: String? {
    guard let answer = answer ?? sent?.answer else { return nil }
    let name = if case .password(let user, _) = answer.login { user } else { "" }
    return "\(answer.offer.scheme.name) \(Base64.encode(Array(name.utf8)))"
  }

  /// Answers one of the offers that were asked about.
  ///
  /// - Parameters:
  ///   - isKept: Whether further requests may use the credential without being asked.
  ///   - isShared: Whether those are among them that do not say themselves who asks.
  package mutating func answer(
    _ offer: AuthenticationOffer, with login: Login, isKept: Bool = true, isShared: Bool = false
  ) {
    assert(login.fits(offer.scheme), "a login answers what it fits")
    answer = AuthenticationAnswer(offer, login, isKept: isKept, isShared: isShared)
    isAhead = false
  }

  /// Begins NTLM with the next request: the caller knows that the peer will ask for it, and for nothing else.
  package mutating func openNTLM(with login: Login, isKept: Bool) {
    guard answer == nil, !isOnItsOwn, allowed.contains(.ntlm), login.fits(.ntlm),
      let offer = AuthenticationOffer.ntlm
    else { return }
    answer(offer, with: login, isKept: isKept)
  }

  /// What the answer cannot do without and may not have, such as a ticket: to be looked for where blocking is allowed, while
  /// the response that asks is still there to be the answer, and to be told with ``open(with:)``. Nil if it is all there.
  ///
  /// - Throws: if there is no such answer here.
  package mutating func opening() throws(AuthenticationFault) -> AuthenticationProof.Work? {
    guard let answer, case .negotiate(let made, let token) = answer.leg, case .ticket = answer.login else {
      return nil
    }
    let context = if let made { made } else { try NegotiateContext(host: place.host) }
    self.answer?.leg = .negotiate(context, token: token)
    return context.field(after: token)
  }

  /// What ``opening()`` has come to.
  package mutating func open(with field: FieldValue) { opened = field }

  /// There is no answer after all.
  package mutating func takeBackAnswer() { (answer, opened) = (nil, nil) }

  /// There is something to prove with the next request.
  package var hasAnswer: Bool { answer != nil }

  /// The connection that the next leg is bound to is gone: the steps begin anew.
  ///
  /// - Throws: if that has happened before.
  package mutating func connectionLost() throws(AuthenticationFault) {
    guard let answer else { return }
    losses += 1
    guard losses < 2 else {
      throw AuthenticationFault(
        .connectionLost, answer.offer.scheme,
        "the \(side == .origin ? "server" : "proxy") closes the connection between the steps, which go over one only"
      )
    }
    self.answer = AuthenticationAnswer(
      answer.offer, answer.login, isKept: answer.isKept, isShared: answer.isShared)
  }
}
