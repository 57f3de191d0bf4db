// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport

// Responses of servers. The other calls of `ExchangeClient` are in `Load+Telling.swift`.
extension LoadDriver: ExchangeClient {
  private var identities: IdentityQuestions { IdentityQuestions(load: self) }

  func exchange(
    _ exchange: RequestDriver, evaluate trust: ServerTrust, by evaluator: AnyObject?,
    decision: @escaping @Sendable (TrustDecision) -> Void
  ) {
    identities.evaluate(trust, of: exchange, by: evaluator, decision: decision)
  }

  func exchange(
    _ exchange: RequestDriver, isAskedForCertificate request: CertificateRequest,
    answer: @escaping @Sendable (TLSIdentity?) -> Void
  ) {
    identities.answer(request, of: exchange, by: answer)
  }

  func exchange(
    _ exchange: RequestDriver, isAskedBy challenge: ProxyChallenge, in head: ResponseHead,
    answer: @escaping @Sendable (ProxyAnswer?) -> Void
  ) {
    // The tunnel may have failed by the time of the answer, and the load be over or elsewhere.
    ProxyQuestion(challenge, response(head), by: self).ask(
      isOpen: { [self] in state.source === exchange && !state.isOver }, answer)
  }

  func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {
    guard let response = response(head) else {
      return stop(.loading(.badURL, url: nil, phase: .preparing, reason: "there is no address"))
    }
    state.response = response
    state.bodyLength = bodyLength
    if let cache { cache.exchange.trustSource = identities.trustSource(of: exchange) }
    let stages = ResponseStage.Set.all(for: self, response, asksCache: cache != nil)
    // Nearly all responses are delivered at once.
    stages.rawValue == 0 ? deliver() : received(response, by: stages)
  }

  func exchange(_ exchange: RequestDriver, didUpgrade upgrade: ChannelUpgrade) {
    guard let webSocket else { return upgrade.channel.close() }
    webSocket.upgrade(upgrade, silence: exchange.request.timeouts.sending)
  }

  func keepsBody(of exchange: RequestDriver) -> Bool { delivery.gathersBody }

  func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {
    switch state.phase {
    case .receiving: receive(bytes)
    case .discarding: discard(bytes)
    case .initial, .loading, .deciding, .concluding, .finished: break
    }
  }

  func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
    let transaction = LoadTransaction.exchange(exchange, state.request, state.response)
    guard let error else { return exchangeEnded(transaction) }
    identities.doubt(after: error, of: exchange)
    if cache?.standsIn(for: error) == true {
      leaveSource(transaction)
      cache?.serveAnswer()
      return
    }
    if state.ending == nil, engine.settings.waitsForConnectivity, error.lacksConnectivity {
      leaveSource(transaction)
      return waitForConnectivity()
    }
    sourceEnded(transaction, failure(error, of: exchange))
  }

  /// All of the response has come.
  private func exchangeEnded(_ transaction: consuming LoadTransaction) {
    authorization?.letGoOfConnections()
    if state.ending == nil, let webSocket, let connection = state.webSocket?.upgraded.take() {
      state.add(transaction, clock: clock)
      return webSocket.open(connection)
    }
    sourceEnded(transaction, nil)
  }
}
