import BluebonnetEventLoop
import BluebonnetTLS

// The identity of a request at a server that asks for a certificate.
extension RequestDriver {
  /// The answer given, or to be given, to the server's request for a certificate; nil as long as it is not known to ask. The
  /// loop must be held.
  package var certificateAnswer: CertificateAnswer? { group.route.certificateAnswer }

  /// The server's known request for a certificate, as long as it has no answer; nil almost always.
  var pendingCertificateRequest: CertificateRequest? {
    guard group.pool.knowsCertificateRequests, !isBound, !knowsAnswer else { return nil }
    return group.pool.certificateRequest(of: group.route, for: trustEvaluator)
  }

  /// Whether the client has decided about the identity, and the answer is not only foreseen.
  private var knowsAnswer: Bool {
    state.isIdentified || request.route.certificateAnswer.map { !$0.isForeseen } ?? false
  }

  /// Asks the client for the request's identity, before a connection is looked for.
  func identify(to request: CertificateRequest) {
    state.stage = .identifying
    state.budget.pause()
    ask(about: request) { [self] answer in
      guard case .identifying = state.stage else { return }
      state.isIdentified = true
      state.group = group.pool.group(for: group.route.answering(answer))
      acquire()
    }
  }

  /// While it waited for a place, the server has asked another request: the place is given back, in its own turn, since
  /// its next owner may do the same.
  func connectAsSomebody(_ request: CertificateRequest) {
    state.stage = .connecting(nil)
    loop.enqueue { [self] in
      guard case .connecting(nil) = state.stage else { return }
      group.connectFailed()
      identify(to: request)
    }
  }

  /// The server asks over a connection that is being made.
  func identify(to request: CertificateRequest, answer: @escaping @Sendable (CertificateAnswer) -> Void) {
    // It was known before it asked, and what it asks has not changed since.
    if knowsAnswer, let known = group.route.certificateAnswer, group.pool.knows(request, of: group.route) {
      return answer(known)
    }
    group.pool.note(request, of: group.route, letInBy: trustEvaluator)
    state.budget.pause()
    ask(about: request, then: answer)
  }

  private func ask(
    about request: CertificateRequest, then answer: @escaping @Sendable (CertificateAnswer) -> Void
  ) {
    if let own = group.pool.configuration(for: group.route.security).identity {
      return answer(CertificateAnswer(own))
    }
    guard let client = state.client else { return }
    client.exchange(self, isAskedForCertificate: request) { [loop] identity in
      loop.execute { answer(CertificateAnswer(identity)) }
    }
  }

  /// The connection is about to be authenticated: from here on it belongs to that identity's route.
  ///
  /// - Returns: false if the identity has all the connections it may have; then it is closed, and the request waits for one.
  func certificateIsAnswered(_ answer: CertificateAnswer, over connection: Connection) -> Bool {
    guard case .securing(connection) = state.stage else { return false }
    state.isIdentified = true
    state.budget.begin(.securing, at: loop.now)
    armTimer()
    if group.route.certificateAnswer == answer { return true }
    let (goesOn, theirs) = group.hand(connection, over: group.route.answering(answer))
    state.group = theirs
    guard !goesOn else { return true }
    state.stage = .initial
    release(.trust)
    acquire()
    return false
  }
}
