import BluebonnetEventLoop
import BluebonnetTLS

extension Connection {
  /// Takes the handshake as far as the bytes at hand allow.
  func secure() {
    guard let tls, state.phase == .securing else { return }
    switch tls.handshake() {
    case .later: break
    case .complete: judge(tls.engine)
    case .failed(.tls(let error)): state.exchange?.fail(.tls(error))
    case .failed(.network(let error)): state.exchange?.receivingBroke(error)
    }
  }

  private func judge(_ engine: TLSEngine) {
    guard let exchange = state.exchange else { return close() }
    exchange.secured(by: engine, on: self)
    ask(engine, for: exchange)
  }

  /// Asks the judge of an exchange that is about to use a connection which another judge let in.
  func judgeAgain(for exchange: Exchange) {
    guard let tls else { return }
    state.exchange = exchange
    ask(tls.engine, for: exchange)
  }

  private func ask(_ engine: TLSEngine, for exchange: Exchange) {
    state.phase = .judging
    guard let trust = engine.serverTrust else { return exchange.fail(.untrusted(nil), during: .handshake) }
    state.judgement = Judgement(by: exchange.client?.judge)
    let connection = LoopConfined(self)
    exchange.judge(trust) { [loop] verdict in
      loop.execute { connection.value.judged(verdict, for: exchange) }
    }
  }

  /// - Parameter asked: whose judge speaks; one that speaks twice is not heard for another.
  private func judged(_ verdict: TrustVerdict, for asked: Exchange) {
    guard state.phase == .judging, let exchange = state.exchange, exchange === asked, let tls else { return }
    switch verdict {
    case .accept: break
    case .reject: return exchange.fail(.untrusted(nil), during: .handshake)
    case .performDefault:
      if let failure = tls.engine.verificationFailure {
        return exchange.fail(.untrusted(failure), during: .handshake)
      }
    }
    state.phase = .open
    // Meanwhile a pooled connection may have ended, or been spoken on out of turn.
    if state.served > 0, !isQuiet { return exchange.reacquire(insteadOf: self) }
    exchange.connected(self)
    // What came in while the certificate was judged.
    loop.enqueue { [connection = LoopConfined(self)] in connection.value.resumeReading() }
  }
}
