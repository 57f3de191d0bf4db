import BluebonnetEventLoop
import BluebonnetTLS

extension Connection {
  /// Takes the handshake as far as the bytes at hand allow.
  func secure() {
    guard let tls, state.phase == .securing else { return }
    switch tls.handshake() {
    case .later: break
    case .complete: evaluate(tls.engine)
    case .failed(.tls(let error)): state.exchange?.fail(.tls(error))
    case .failed(.network(let error)): state.exchange?.receivingBroke(error)
    }
  }

  private func evaluate(_ engine: TLSEngine) {
    guard let exchange = state.exchange else { return close() }
    exchange.secured(by: engine, on: self)
    ask(engine, for: exchange)
  }

  /// Asks the evaluator of an exchange that is about to use a connection which another one let in.
  func evaluateAgain(for exchange: Exchange) {
    guard let tls else { return }
    state.exchange = exchange
    ask(tls.engine, for: exchange)
  }

  private func ask(_ engine: TLSEngine, for exchange: Exchange) {
    state.phase = .evaluatingTrust
    guard let trust = engine.serverTrust else { return exchange.fail(.untrusted(nil), during: .securing) }
    state.evaluator = EvaluatorReference(by: exchange.client?.trustEvaluator)
    let connection = LoopConfined(self)
    exchange.evaluate(trust) { [loop] decision in
      loop.execute { connection.value.decided(decision, for: exchange) }
    }
  }

  /// - Parameter asked: whose evaluator speaks; one that speaks twice is not heard for another.
  private func decided(_ decision: TrustDecision, for asked: Exchange) {
    guard state.phase == .evaluatingTrust, let exchange = state.exchange, exchange === asked, let tls else {
      return
    }
    switch decision {
    case .accept: break
    case .reject: return exchange.fail(.untrusted(nil), during: .securing)
    case .performDefault:
      if let failure = tls.engine.verificationFailure {
        return exchange.fail(.untrusted(failure), during: .securing)
      }
    }
    state.phase = .open
    // Meanwhile a pooled connection may have ended, or been spoken on out of turn.
    if state.served > 0, !isQuiet { return exchange.reacquire(insteadOf: self) }
    exchange.connected(self)
    // What came in while the certificate was evaluated.
    loop.enqueue { [connection = LoopConfined(self)] in connection.value.resumeReading() }
  }
}
