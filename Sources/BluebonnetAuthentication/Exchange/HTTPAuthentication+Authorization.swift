// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

// What goes out with a request.
extension HTTPAuthentication {
  /// The credentials for the next request.
  ///
  /// - Throws: if none can be made.
  package mutating func proof(
    for request: AuthenticatedRequest, cache: inout AuthenticationCache
  ) throws(AuthenticationFault) -> AuthenticationProof {
    sent = nil
    choose(for: request.target, cache: cache)
    while let answer {
      do throws(AuthenticationFault) {
        return try proof(answer, for: request, &cache)
      } catch {
        guard fallBack(from: error) else { throw error }
      }
    }
    return .none
  }

  /// Takes the known answer of other requests with the same login, if there is no challenge yet. ``proof(for:memory:)`` does the
  /// same; call this first to know before what the next request will be like.
  package mutating func choose(for target: String, cache: AuthenticationCache) {
    guard answer == nil, !ignoresCache, let login, !cache.isEmpty,
      let known = cache.space(of: place, side, for: target, login: login)
    else { return }
    begin(with: known)
  }

  /// Authenticates the next request with a known space's credentials, before a challenge.
  package mutating func begin(with known: AuthenticationCache.Space) {
    guard answer == nil, !ignoresCache, allowed.contains(known.offer.scheme) else { return }
    answer = AuthenticationAnswer(known.offer, known.login, isKept: true, isShared: known.isShared)
    isPreemptive = true
  }

  /// The hash function for the next request's content; nil if it need not be hashed.
  package var contentHash: HashFunction? {
    guard case .digest(let challenge) = answer?.leg, challenge.protection == .requestAndContent else {
      return nil
    }
    return challenge.hash
  }

  /// Takes the result of `AuthenticationProof.later`.
  ///
  /// - Returns: The field's value; nil if another offer is answered instead, for which ``proof(for:memory:)`` is to be asked.
  package mutating func made(
    _ result: Result<FieldValue, AuthenticationFault>
  ) throws(AuthenticationFault) -> FieldValue? {
    do throws(AuthenticationFault) {
      return try result.get()
    } catch {
      guard fallBack(from: error) else { throw error }
      sent = nil
      return nil
    }
  }

  /// This side cannot give the chosen answer: the next of the server's offers is tried, where the login was given for all.
  private mutating func fallBack(from fault: AuthenticationFault) -> Bool {
    answer = nil
    guard fault.kind == .unsupported, let login, let next = others.first else { return false }
    others.removeFirst()
    answer = AuthenticationAnswer(next, login, isKept: true)
    return true
  }

  /// The third message.
  func ntlmField(
    to challenge: NTLMChallenge, _ user: String, _ password: String
  ) throws(AuthenticationFault) -> FieldValue {
    guard let nonce = sources.random(8) else {
      throw AuthenticationFault(.unsupported, .ntlm, "the system has no random numbers")
    }
    let message = try NTLMAnswer(
      to: challenge, opening: NTLMOpening.bytes, user: user, password: password, nonce: nonce,
      now: sources.now())
    return FieldValue("NTLM " + Base64.encode(message.bytes))
  }

  private mutating func proof(
    _ answer: AuthenticationAnswer, for request: AuthenticatedRequest,
    _ cache: inout AuthenticationCache
  ) throws(AuthenticationFault) -> AuthenticationProof {
    var sent = Sent(
      answer: answer, target: request.target, hasContent: request.hasContent, isPreemptive: isPreemptive)
    let proof: AuthenticationProof
    switch (answer.leg, answer.login) {
    case (.basic, .password(let user, let password)):
      proof = .field(FieldValue(BasicCredentials.authorization(user: user.utf8, password: password.utf8)))
    case (.bearer, .token(let token)): proof = .field(FieldValue("Bearer \(token)"))
    case (.digest(let challenge), .password(let user, let password)):
      let use = try cache.use(challenge.nonce, of: place, side, sources)
      let digest = try DigestAnswer(
        to: challenge, user: user, password: password, for: request, clientNonce: use.clientNonce,
        count: use.count)
      sent.digest = digest
      proof = .field(digest.field)
    case (.ntlmOpening, _): proof = .field(FieldValue("NTLM " + Base64.encode(NTLMOpening.bytes)))
    case (.ntlmAnswer(let challenge), .password(let user, let password)):
      if let made = opened.take() {
        proof = .field(made)
      } else {
        proof = .field(try ntlmField(to: challenge, user, password))
      }
    case (.ntlmProved, _): proof = .none
    case (.negotiate(let made, let token), .ticket):
      let context = if let made { made } else { try NegotiateContext(host: place.host) }
      self.answer?.leg = .negotiate(context, token: token)
      sent = Sent(
        answer: self.answer ?? answer, target: request.target, hasContent: request.hasContent,
        isPreemptive: isPreemptive)
      proof = opened.take().map { .field($0) } ?? .later(context.field(after: token))
    default:
      throw AuthenticationFault(
        .unsupported, answer.offer.scheme, "the credential is not one for \(answer.offer.scheme.name)")
    }
    self.sent = sent
    return proof
  }
}
