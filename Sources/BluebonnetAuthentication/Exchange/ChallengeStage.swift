// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// The challenges of one side, an origin or a proxy, to one load or one tunnel: the answers to them (``authentication``), how
/// often they may be refused, and whether the next step is bound to a connection.
///
///     proof ──▶ (the request goes out) ──▶ received ──▶ pass: the response is the load's
///       ▲                                     ├──────▶ sendAgain ──┐
///       │                                     ├──────▶ ask ─ answer┤
///       │                                     └──────▶ fail        │
///       └──────────────────────────────────────────────────────────┘
///
/// A value: event in, action out. The `AuthenticationCache` that it shares with other loads is an argument.
package struct ChallengeStage: Sendable {
  /// The most answers of a load that a side may refuse; then its refusal is the answer. A limit for callers that answer every
  /// question with the same wrong password.
  package static let failureLimit = 20

  /// The steps of the schemes.
  package var authentication: HTTPAuthentication
  /// The next step goes over the connection of the last one, and over no other.
  package private(set) var isBound = false
  /// The content of the last request was held back: nothing has been read from it.
  package var contentIsUnread = false
  /// Basic credentials went out with the last request before there was a challenge, and not by this stage.
  package var sentBasicAtOnce = false
  /// The offers of the newest challenge, the strongest first.
  package private(set) var offers: [AuthenticationOffer] = []
  /// The number of those that were asked about.
  private var askedCount = 0
  /// There was a credential for an offer, of another kind than it takes.
  package var hasMisfit = false

  package init(_ authentication: HTTPAuthentication) { self.authentication = authentication }

  package var side: AuthenticationSide { authentication.side }
  package var failures: Int { authentication.failures }

  /// Whether the answers are meant for an origin: a redirect may have led to another.
  package func isFor(_ origin: WebOrigin) -> Bool { authentication.place == origin }

  /// The meaning of the response to the last request.
  package mutating func received(
    status: Int, fields: FieldBlock, cache: inout AuthenticationCache
  ) -> HTTPAuthentication.Step {
    var step = authentication.received(status: status, fields: fields, cache: &cache)
    // Credentials that were refused a moment ago are not given once more.
    if sentBasicAtOnce, case .sendAgain = step, authentication.scheme == .basic {
      var unused = AuthenticationCache()
      _ = try? authentication.proof(
        for: AuthenticatedRequest(method: "GET", target: ""), cache: &unused)
      step = authentication.received(status: status, fields: fields, cache: &cache)
    }
    sentBasicAtOnce = false
    switch step {
    case .sendAgain(let overSameConnection):
      (offers, askedCount, hasMisfit) = ([], 0, false)
      isBound = overSameConnection
    case .ask(let offers):
      (self.offers, askedCount, hasMisfit) = (offers, 0, false)
      isBound = false
      if failures > Self.failureLimit { return .pass }
    // A proxy is the same for the next request, of a redirect; an origin need not be.
    case .pass: if side == .origin { isBound = false }
    case .fail: break
    }
    return step
  }

  /// The next offer that the caller is to be asked about; nil if there are no more.
  package mutating func takeOffer() -> AuthenticationOffer? {
    guard askedCount < offers.count else { return nil }
    askedCount += 1
    return offers[askedCount - 1]
  }

  /// The caller wants to answer none of the offers.
  package mutating func decline() { (askedCount, hasMisfit) = (offers.count, false) }

  /// The connection of the next step has gone: the steps begin anew.
  ///
  /// - Throws: if that has happened before.
  package mutating func connectionLost() throws(AuthenticationFault) {
    isBound = false
    try authentication.connectionLost()
  }

  /// The chosen answer cannot be given.
  package mutating func takeBackAnswer() {
    authentication.takeBackAnswer()
    isBound = false
  }

  /// The request is about to be sent once more.
  ///
  /// - Returns: Whether the content of the last one was read, as far as it was sent.
  package mutating func sendsAgain() -> Bool {
    defer { contentIsUnread = authentication.withholdsContent }
    return !contentIsUnread
  }
}
