import BluebonnetEventLoop
import BluebonnetTLS

extension TLSError {
  /// The peer closed before the handshake was done.
  static var closedInHandshake: TLSError {
    TLSError(.handshakeFailed, reason: "the server closed the connection")
  }

  /// The connection ended without close_notify: what came before may be cut short.
  var isTruncation: Bool { code == .truncated }
}

extension Connection {
  /// Takes the handshake as far as the bytes at hand allow.
  func advanceHandshake() {
    guard let tls, state == .securing else { return }
    do throws(TLSError) {
      let step = try tls.handshake()
      flush()
      guard state == .securing else { return }
      switch step {
      case .handshakeComplete: judge(tls)
      case .closed: exchange?.fail(.tls(.closedInHandshake))
      case .needsInput, .bytes: break
      }
    } catch {
      // The alert that says why is worth sending; the connection is lost either way.
      _ = Syscall.send(descriptor, tls.output)
      exchange?.fail(.tls(error.isTruncation ? .closedInHandshake : error))
    }
  }

  private func judge(_ tls: TLSEngine) {
    guard let exchange else { return close() }
    exchange.secured(by: tls, on: self)
    ask(tls, for: exchange)
  }

  /// Asks the judge of an exchange that is about to use a connection which another judge let in.
  func judgeAgain(for exchange: Exchange) {
    guard let tls else { return }
    self.exchange = exchange
    ask(tls, for: exchange)
  }

  private func ask(_ tls: TLSEngine, for exchange: Exchange) {
    state = .judging
    guard let trust = tls.serverTrust else { return exchange.fail(.untrusted(nil), during: .handshake) }
    judgement = Judgement(by: exchange.client?.judge)
    let connection = LoopConfined(self)
    exchange.judge(trust) { [loop] verdict in
      loop.execute { connection.value.judged(verdict, for: exchange) }
    }
  }

  /// - Parameter asked: whose judge speaks; one that speaks twice is not heard for another.
  private func judged(_ verdict: TrustVerdict, for asked: Exchange) {
    guard state == .judging, let exchange, exchange === asked, let tls else { return }
    switch verdict {
    case .accept: break
    case .reject: return exchange.fail(.untrusted(nil), during: .handshake)
    case .performDefault:
      if let failure = tls.verificationFailure {
        return exchange.fail(.untrusted(failure), during: .handshake)
      }
    }
    state = .open
    // Meanwhile a pooled connection may have ended, or been spoken on out of turn.
    if served > 0, !isQuiet { return exchange.reacquire(insteadOf: self) }
    exchange.connected(self)
    // What came in while the certificate was judged.
    loop.enqueue { [connection = LoopConfined(self)] in connection.value.resumeReading() }
  }
}
