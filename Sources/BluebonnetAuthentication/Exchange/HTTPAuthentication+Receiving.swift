// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

// What a response means.
extension HTTPAuthentication {
  /// The meaning of the response to the last request.
  package mutating func received(
    status: Int, fields: FieldBlock, cache: inout AuthenticationCache
  ) -> Step {
    let wasOpening = withholdsContent && sent == nil
    opensWithoutContent = false
    defer {
      sent = nil
      isPreemptive = false
    }
    proved = nil
    guard status == side.status else {
      // No challenge came: the request has yet to be made with its content.
      guard let sent else {
        return wasOpening && status < 300 ? .sendAgain(overSameConnection: false) : .pass
      }
      answer = nil
      do throws(AuthenticationFault) {
        return try accepted(sent, status: status, fields, &cache)
      } catch {
        cache.forget(sent.answer.login, sent.answer.offer, of: place, side)
        return .fail(error)
      }
    }
    let offers = AuthenticationOffer.all(in: fields.fieldValues(side.challengeField), allowing: allowed)
    if let sent {
      do throws(AuthenticationFault) {
        answer = nil
        if let step = try goOn(from: sent, offers) { return step }
      } catch {
        // It is about nothing but the next step: the response, which asks for it, is the answer.
        refused(sent, &cache)
        takeBackAnswer()
        return .pass
      }
      if isOfAnotherSpace(sent, offers) {
        (ignoresCache, leastStrength) = (true, sent.answer.offer.strength)
      } else {
        refused(sent, &cache)
      }
    }
    answer = nil
    guard !offers.isEmpty else { return .pass }
    if failures == 0, let login {
      let fitting = offers.filter { login.fits($0.scheme) && isStrongEnough($0) }
      guard let first = fitting.first else { return .ask(offers) }
      others = Array(fitting.dropFirst())
      answer = AuthenticationAnswer(first, login, isKept: true)
      return .sendAgain(overSameConnection: false)
    }
    return .ask(offers)
  }

  /// The next step of an exchange; nil if the server does not go on with it.
  private mutating func goOn(
    from sent: Sent, _ offers: [AuthenticationOffer]
  ) throws(AuthenticationFault) -> Step? {
    switch sent.answer.leg {
    case .basic, .bearer, .ntlmAnswer: return nil
    case .ntlmProved:
      // It was not authenticated: the steps are gone through. No password has been refused, whatever the server wants now.
      avoidsAuthenticatedConnections = true
      guard offers.contains(where: { $0.scheme == .ntlm }) else {
        return offers.isEmpty ? .pass : .ask(offers)
      }
      answer = sent.answer
      answer?.leg = .ntlmOpening
      return .sendAgain(overSameConnection: false)
    case .digest(let old): return renewal(of: old, sent, offers)
    case .ntlmOpening:
      guard let token = offers.first(where: { $0.scheme == .ntlm && $0.challenge.token != nil })?.token else {
        return nil
      }
      guard let challenge = NTLMChallenge(token) else {
        throw AuthenticationFault(.malformed, .ntlm, "what the server says is no challenge of NTLM")
      }
      answer = sent.answer
      answer?.leg = .ntlmAnswer(challenge)
      if case .password(let user, let password) = sent.answer.login {
        opened = try ntlmField(to: challenge, user, password)
      }
      return .sendAgain(overSameConnection: true)
    case .negotiate(let context, _):
      guard let context, !context.isComplete,
        let token = offers.first(where: { $0.scheme == .negotiate && $0.challenge.token != nil })?.token
      else { return nil }
      // A server could go on so for ever.
      renewals += 1
      guard renewals <= Self.renewalLimit else { return nil }
      answer = sent.answer
      answer?.leg = .negotiate(context, token: token)
      return .sendAgain(overSameConnection: true)
    }
  }

  /// The secret was right, or may have been, and the nonce was too old (RFC 7616 §3.3): the server's new one is taken. A nonce
  /// of another request may be stale without the server's knowing that it ever was its own.
  private mutating func renewal(
    of old: DigestChallenge, _ sent: Sent, _ offers: [AuthenticationOffer]
  ) -> Step? {
    let next = offers.first { offer in
      // Never by a weaker one: stale is no reason for that.
      guard let digest = offer.digest, offer.strength >= sent.answer.offer.strength else { return false }
      return digest.realm == old.realm && digest.nonce != old.nonce && (digest.isStale || sent.isPreemptive)
    }
    guard let next, let digest = next.digest, renewals < Self.renewalLimit else { return nil }
    renewals += 1
    answer = sent.answer
    answer?.offer = next
    answer?.leg = .digest(digest)
    return .sendAgain(overSameConnection: false)
  }

  /// Whether the answer was guessed to be wanted, and the target turns out to be in another protection space (RFC 9110 §11.5): for
  /// that one it has not been refused. A password that went out as it is has been, in whatever realm.
  private func isOfAnotherSpace(_ sent: Sent, _ offers: [AuthenticationOffer]) -> Bool {
    guard sent.isPreemptive, case .digest(let old) = sent.answer.leg else { return false }
    return !offers.contains { $0.realm == old.realm }
      && offers.contains { $0.scheme == .digest && $0.strength >= sent.answer.offer.strength }
  }

  /// Whether an offer may be answered without the caller's word.
  package func isStrongEnough(_ offer: AuthenticationOffer) -> Bool { offer.strength >= leastStrength }

  private mutating func refused(_ sent: Sent, _ cache: inout AuthenticationCache) {
    cache.forget(sent.answer.login, sent.answer.offer, of: place, side)
    failures += 1
    ignoresCache = true
  }

  private mutating func accepted(
    _ sent: Sent, status: Int, _ fields: FieldBlock, _ cache: inout AuthenticationCache
  ) throws(AuthenticationFault) -> Step {
    var answer = sent.answer
    switch answer.leg {
    case .basic, .bearer: break
    case .ntlmAnswer, .ntlmProved: stands(for: answer)
    case .digest(let challenge):
      guard let next = try nextChallenge(after: challenge, sent, fields) else { break }
      answer.offer.renew(next)
    case .ntlmOpening:
      // The server wants no credentials here. A request with its content held back has not been made yet.
      ignoresCache = true
      cache.forget(answer.login, answer.offer, of: place, side)
      return sent.hasContent && status < 300 ? .sendAgain(overSameConnection: false) : .pass
    case .negotiate(let context, _):
      let tokens = fields.values(side.challengeField).flatMap { ChallengeList($0).challenges }
        .filter { $0.scheme == AuthenticationScheme.negotiate.rawValue }.compactMap(\.token)
      if let context {
        try verifyMutually(context, tokens.first, status: status)
        if context.isComplete { stands(for: answer) }
      }
    }
    if answer.isKept { cache.keep(answer, of: place, side, at: sent.target) }
    return .pass
  }

  /// The connection is authenticated as the identity of that answer.
  private mutating func stands(for answer: AuthenticationAnswer) {
    if answer.isKept { proved = ConnectionIdentity(side, answer.offer.scheme, answer.login) }
  }

  /// Looks at the server's own proof.
  ///
  /// - Returns: The challenge with the nonce that the server wants to see next; nil if it does not mind.
  private func nextChallenge(
    after challenge: DigestChallenge, _ sent: Sent, _ fields: FieldBlock
  ) throws(AuthenticationFault) -> DigestChallenge? {
    guard let information = fields.first(side.informationFieldName) else { return nil }
    // The same grammar as a challenge's parameters (RFC 7616 §3.5).
    let parameters = ChallengeList("Digest \(information)").first("digest")?.parameters ?? [:]
    guard sent.digest?.accepts(parameters) ?? true else {
      throw AuthenticationFault(
        .mutualAuthenticationFailed, .digest,
        "the server's own proof is wrong (rspauth): it does not know the password")
    }
    guard let nonce = parameters["nextnonce"], !nonce.isEmpty, nonce.utf8.count <= DigestChallenge.valueLimit
    else { return nil }
    var next = challenge
    next.nonce = nonce
    return next
  }

  /// RFC 4559 §4.2: the response is the server's only if its last word says so. Proxies need not say it: squid never does.
  private func verifyMutually(_ context: NegotiateContext, _ token: String?, status: Int)
    throws(AuthenticationFault)
  {
    if let token {
      guard let bytes = Base64.decode(token) else {
        throw AuthenticationFault(.malformed, .negotiate, "what the server says is no Base64")
      }
      guard case .success(let outcome) = context.step(bytes), outcome.isComplete else {
        throw AuthenticationFault(.mutualAuthenticationFailed, .negotiate, "the server's own proof is wrong")
      }
    } else if !context.isComplete, status < 400, side == .origin {
      throw AuthenticationFault(
        .mutualAuthenticationFailed, .negotiate, "the server did not authenticate itself")
    }
  }
}
