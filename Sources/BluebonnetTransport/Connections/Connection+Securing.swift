import BluebonnetEventLoop
import BluebonnetTLS

// The handshake, and the peer's identity.
extension Connection {
  /// Takes the handshake as far as the bytes at hand allow.
  func secure() {
    guard let tls else { return assertionFailure("a plain connection has no handshake") }
    switch tls.handshake() {
    case .later: break
    case .complete: secured(by: tls.engine)
    case .certificateRequested:
      guard let client = state.client else { return close() }
      // Credentials are only for a server that is trusted.
      ask(client.trustEvaluator, about: tls.engine, for: client)
    case .failed(.tls(let error)): state.client?.failed(.tls(error))
    case .failed(let fault): state.client?.receivingBroke(fault)
    }
  }

  private func secured(by engine: TLSEngine) {
    guard let client = state.client else { return close() }
    let facts = ConnectionFacts(
      localAddress: state.facts?.localAddress, remoteAddress: state.facts?.remoteAddress,
      isProxied: state.facts?.isProxied ?? false, tlsVersion: engine.version,
      tlsCipherSuite: engine.cipherSuite, tlsGroup: engine.group, isTLSResumed: engine.wasResumed,
      serverTrust: engine.serverTrust)
    state.facts = facts
    client.secured(by: engine, facts)
    // It was let in when it asked for a certificate.
    if state.evaluator != nil { return open(for: client) }
    ask(client.trustEvaluator, about: engine, for: client)
  }

  /// Asks the evaluator of a client that is about to use a connection which another one let in.
  func evaluateAgain(by evaluator: AnyObject?, for client: any ConnectionClient) {
    guard let tls else { return assertionFailure("only TLS connections are evaluated") }
    state.client = client
    ask(evaluator, about: tls.engine, for: client)
  }

  /// - Parameter evaluator: Read once: the one asked is the one recorded, also if the client has another one by then.
  private func ask(_ evaluator: AnyObject?, about engine: TLSEngine, for client: any ConnectionClient) {
    state.phase = .evaluatingTrust
    guard let trust = engine.serverTrust else { return client.refused(.untrusted(nil)) }
    state.evaluator = EvaluatorReference(by: evaluator)
    let (connection, asked) = (LoopConfined(self), LoopConfined(client))
    client.evaluate(trust, by: evaluator) { [loop] decision in
      loop.execute { connection.value.step(.decided(decision, asked: asked.value)) }
    }
  }

  func decided(_ decision: TrustDecision) {
    guard let client = state.client, let tls else { return }
    let failure = tls.engine.verificationFailure
    switch decision {
    case .accept: break
    case .reject: return client.refused(.untrusted(nil))
    case .performDefault: if let failure { return client.refused(.untrusted(failure)) }
    }
    state.isUnverified = failure != nil
    guard tls.engine.isHandshakeComplete else { return identify(tls.engine, for: client) }
    open(for: client)
  }

  private func open(for client: any ConnectionClient) {
    do throws(TLSError) {
      try tls?.engine.mayBeAskedLater()
    } catch {
      return client.failed(.tls(error))
    }
    state.phase = .open
    // Meanwhile a pooled connection may have ended, or been spoken on out of turn.
    if state.served > 0, !isQuiet { return client.wentStale() }
    client.trusted()
    // What came in while the certificate was evaluated.
    loop.enqueue { [connection = LoopConfined(self)] in connection.value.step(.resumed) }
  }

  /// The server has asked for a certificate in the handshake, which waits.
  private func identify(_ engine: TLSEngine, for client: any ConnectionClient) {
    guard let request = engine.certificateRequest else {
      return assertionFailure("a handshake that waits has been asked something")
    }
    state.phase = .identifying
    let (connection, asked) = (LoopConfined(self), LoopConfined(client))
    client.identify(to: request) { [loop] answer in
      loop.execute { connection.value.step(.identified(answer, asked: asked.value)) }
    }
  }

  func identified(_ answer: CertificateAnswer) {
    guard let client = state.client, let tls, client.certificateIsAnswered(answer, over: self) else { return }
    state.phase = .securing
    do throws(TLSError) {
      try tls.engine.authenticate(with: answer.identity)
    } catch {
      return client.failed(.tls(error))
    }
    secure()
  }

  /// Whether this evaluator has let the server in.
  func isTrusted(by evaluator: AnyObject?) -> Bool {
    state.evaluator?.isBy(evaluator) ?? false
  }
}
