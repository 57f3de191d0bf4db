// SPDX-License-Identifier: MIT
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
/// response means. Nothing here reads or writes; what outlives the request is kept in an `AuthenticationCache`, which
/// its owner shares between requests.
///
/// Of several challenges the strongest is answered that there is a credential for: Negotiate, Digest with SHA-512/256, with
/// SHA-256, NTLM, Digest with MD5, Bearer, Basic. Once an answer has been refused, no other is given without a question: a
/// server that refuses a proof must not be told the password.
package struct HTTPAuthentication: Sendable {
  /// The meaning of a response.
  package enum Step: Sendable {
    /// It is the answer: no challenge, or one that nothing can be done about.
    case pass
    /// The request is to be sent once more, with a new proof: over the same connection or none, or over any.
    case sendAgain(overSameConnection: Bool)
    /// A credential is asked for: one of the offers, strongest first, is to be answered with
    /// ``HTTPAuthentication/answer(_:with:isKept:)``, and the request sent once more over any connection. A caller without one, or
    /// with none but the one refused, lets the response be the answer. There is at least one offer.
    case ask([AuthenticationOffer])
    /// The response must not be trusted, or the steps cannot be gone on with.
    case fail(AuthenticationFault)
  }

  package let side: AuthenticationSide
  /// The side of the challenge: the origin, or the proxy as if it were one.
  package let place: WebOrigin
  package let allowed: AuthenticationSchemes
  /// The credentials that answer the first challenge without a question, and go out before it where it is known to come.
  package let login: Login?
  /// The number of answers refused so far.
  package internal(set) var failures = 0

  /// Until there is a response, content is held back though nothing is to be proved yet: the peer is known to ask.
  package var opensWithoutContent = false

  let sources: AuthenticationSources
  /// The answer for the next request.
  var answer: AuthenticationAnswer?
  /// The answer that went out with the last one.
  var sent: Sent?
  /// Weaker offers, for the case that the login cannot be proved as the chosen one wants.
  var others: [AuthenticationOffer] = []
  /// The number of nonces too old, and of connections lost: servers could go on so for ever.
  var renewals = 0
  var losses = 0
  /// Whether cached credentials are no longer used for this request.
  var ignoresCache = false
  /// The strength of a proof that was of no use. A server must not be told the password after it, unless the caller says so.
  var leastStrength = 0
  /// Whether the answer came before a challenge.
  var isPreemptive = false
  /// The field that the answer has come to before the next request is made.
  var opened: FieldValue?
  /// Connections taken to be authenticated were not.
  var avoidsAuthenticatedConnections = false
  /// The identity of the last request's connection, now that it has been authenticated, as long as other requests may use the
  /// same credential.
  package internal(set) var proved: ConnectionIdentity?

  struct Sent: Sendable {
    let answer: AuthenticationAnswer
    let target: String
    let hasContent: Bool
    /// There was no challenge: it was known from another request.
    let isPreemptive: Bool
    var digest: DigestAnswer?
  }

  static let renewalLimit = 4

  /// - Parameters:
  ///   - place: The side of the challenge.
  ///   - allowed: Schemes that are supported at all.
  ///   - login: The credentials that answer challenges without a question; nil to ask the caller.
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

  /// The authentication is bound to the connection: the one that the next request goes over has to be kept, and to be closed
  /// rather than used for others afterwards, unless it is for the same ones (``proved``).
  package var isBoundToConnection: Bool {
    answer?.offer.scheme.isBoundToConnection ?? sent?.answer.offer.scheme.isBoundToConnection ?? false
  }

  /// The identity that a connection needs to be of use for the next request; nil where that does not matter.
  package var wantedIdentity: ConnectionIdentity? {
    guard let answer, answer.isKept else { return nil }
    return switch answer.leg {
    case .ntlmOpening, .ntlmProved:
      avoidsAuthenticatedConnections ? nil : ConnectionIdentity(side, .ntlm, answer.login)
    // It carries the credentials anew with each request.
    case .negotiate(nil, _): ConnectionIdentity(side, .negotiate, answer.login)
    default: nil
    }
  }

  /// Tells whether the next request goes over a connection that has the ``wantedIdentity`` already. If the server does not agree,
  /// the steps are gone through after all.
  package mutating func useAuthenticatedConnection(_ isAuthenticated: Bool) {
    switch answer?.leg {
    case .ntlmOpening where isAuthenticated: answer?.leg = .ntlmProved
    case .ntlmProved where !isAuthenticated: answer?.leg = .ntlmOpening
    default: break
    }
  }

  /// The next request only opens the exchange: it goes out without its content, with `Content-Length: 0`, because it will be
  /// refused (MS-NTHT; curl does the same).
  package var withholdsContent: Bool {
    if case .ntlmOpening = answer?.leg { true } else { opensWithoutContent && answer == nil }
  }

  /// The scheme that is being answered.
  package var scheme: AuthenticationScheme? { (answer ?? sent?.answer)?.offer.scheme }

  /// The authenticated identity, without the secret: the scheme and the name. Nil while there is none.
  package var identity: String? {
    guard let answer = answer ?? sent?.answer else { return nil }
    let name = if case .password(let user, _) = answer.login { user } else { "" }
    return "\(answer.offer.scheme.name) \(Base64.encode(Array(name.utf8)))"
  }

  /// Answers one of the offers that were asked about.
  ///
  /// - Parameters:
  ///   - isKept: Whether further requests may use the credential without being asked.
  ///   - isShared: Whether those include requests without credentials of their own.
  package mutating func answer(
    _ offer: AuthenticationOffer, with login: Login, isKept: Bool = true, isShared: Bool = false
  ) {
    assert(login.fits(offer.scheme), "a login answers what it fits")
    answer = AuthenticationAnswer(offer, login, isKept: isKept, isShared: isShared)
    isPreemptive = false
  }

  /// Begins NTLM with the next request: the caller knows that the peer will ask for it, and for nothing else.
  package mutating func openNTLM(with login: Login, isKept: Bool) {
    guard answer == nil, !ignoresCache, allowed.contains(.ntlm), login.fits(.ntlm),
      let offer = AuthenticationOffer.ntlm
    else { return }
    answer(offer, with: login, isKept: isKept)
  }

  /// The part of the answer that it needs and may not have, such as a ticket: to be looked for where blocking is allowed,
  /// while the challenge's response can still be the answer, and to be told with ``open(with:)``. Nil if it is all there.
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

  /// Takes the result of ``opening()``.
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
