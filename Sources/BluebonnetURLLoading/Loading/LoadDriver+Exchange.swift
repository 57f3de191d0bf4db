import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport

// Responses of servers.
extension LoadDriver: ExchangeClient {
  var trustEvaluator: AnyObject? { ownDelegate ?? engine.listener?.taskDelegate }
  var urgency: Float {
    let priority = state.task.priority
    return priority.isNaN ? URLSessionTask.defaultPriority : priority
  }

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

  func exchange(_ exchange: RequestDriver, didReceiveFromProxy head: ResponseHead) {
    guard let listener, let response = response(head) else { return }
    listener.executor.run { [task = state.task] in listener.task(task, didReceiveFromProxy: response) }
  }

  func exchange(
    _ exchange: RequestDriver, isAskedBy challenge: ProxyChallenge, in head: ResponseHead,
    answer: @escaping @Sendable (ProxyAnswer?) -> Void
  ) {
    // The tunnel may have failed by the time of the answer, and the load be over or elsewhere.
    ProxyQuestion(challenge, response(head), by: self).ask(
      isOpen: { [self] in state.source === exchange && !state.isOver }, answer)
  }

  /// A head as the caller sees it.
  private func response(_ head: ResponseHead) -> HTTPURLResponse? {
    state.request.url.map { url in
      HTTPURLResponse(
        url: url, statusCode: head.status, minorVersion: head.minorVersion, fields: head.fields)
    }
  }

  func exchange(
    _ exchange: RequestDriver, didSend head: [UInt8], over connection: ConnectionFacts?, isReused: Bool
  ) {
    guard let listener else { return }
    let connection = URLSessionConnection(facts: connection, isReused: isReused)
    listener.executor.run { [task = state.task] in
      listener.task(task, willSend: Data(head), over: connection)
    }
  }

  func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {
    guard let response = response(head) else {
      return stop(.loading(.badURL, url: nil, phase: .preparing, reason: "there is no address"))
    }
    state.response = response
    state.bodyLength = bodyLength
    if let cache = state.cache { cache.exchange.trustSource = trustSource(of: exchange) }
    received(response, by: responseStages(of: response))
  }

  /// The source of trust in the server. Another task's delegate may have accepted it, or one that the task has no longer.
  private func trustSource(of exchange: RequestDriver) -> CacheExchange.TrustSource {
    guard identities.goesAsConfigured(exchange) else { return .taskDelegate }
    guard exchange.isUnverified else { return .anchors }
    guard let evaluator = engine.listener?.taskDelegate else { return .taskDelegate }
    return exchange.wasTrusted(by: evaluator) ? .evaluator : .taskDelegate
  }

  /// All of the response has come.
  private func exchangeEnded(_ transaction: consuming LoadTransaction) {
    state.originChallenges?.letGoOfConnection()
    state.proxy?.challenges?.letGoOfConnection()
    if state.ending == nil, let link = state.webSocket, let connection = link.upgraded.take() {
      state.add(transaction, clock: clock)
      return driver(of: link).open(connection)
    }
    sourceEnded(transaction, nil)
  }

  func exchange(_ exchange: RequestDriver, didUpgrade upgrade: ChannelUpgrade) {
    guard let link = state.webSocket else { return upgrade.channel.close() }
    driver(of: link).upgrade(upgrade, silence: exchange.request.timeouts.sending)
  }

  func driver(of link: WebSocketLink) -> WebSocketDriver {
    if let known = state.webSocketDriver { return known }
    let made = WebSocketDriver(of: self, link)
    state.webSocketDriver = made
    return made
  }

  func keepsBody(of exchange: RequestDriver) -> Bool { delivery.gathersBody }

  func exchange(_ exchange: RequestDriver, didReceiveInterim head: ResponseHead) {
    guard let listener, let response = response(head) else { return }
    listener.executor.run { [task = state.task] in listener.task(task, didReceiveInterim: response) }
  }

  func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {
    switch state.phase {
    case .receiving: delivery.receive(bytes)
    case .discarding:
      if state.incoming.isCopied { state.incoming.copy(bytes) }
      discard(bytes.count)
    case .initial, .loading, .deciding, .concluding, .finished: break
    }
  }

  func exchange(_ exchange: RequestDriver, didReceiveTrailers fields: FieldBlock) {
    // Those of a response that is not the task's are dropped.
    if case .receiving = state.phase { state.task.setTrailers(fields) }
  }

  func exchange(_ exchange: RequestDriver, didSendBody count: Int) {
    state.task.count { $0.sent += Int64(count) }
    guard let listener else { return }
    let counts = state.task.byteCounts
    listener.executor.run { [task = state.task] in listener.task(task, didSend: Int64(count), counts) }
  }

  func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
    let transaction = LoadTransaction.exchange(exchange, state.request, state.response)
    guard let error else { return exchangeEnded(transaction) }
    identities.doubt(after: error, of: exchange)
    if isCovered(error) {
      state.source = nil
      state.add(transaction, clock: clock)
      state.cache?.serveAnswer()
      return
    }
    if state.ending == nil, engine.settings.waitsForConnectivity, error.lacksConnectivity {
      state.source = nil
      state.add(transaction, clock: clock)
      return waitForConnectivity()
    }
    // What the caller's own code threw is what the caller is told.
    if case .bodySource(_, let cause?) = error.cause { return sourceEnded(transaction, cause) }
    let facts = FailedExchange(
      url: state.request.url, method: state.request.httpMethod, response: state.response,
      bodyBytes: exchange.metrics.responseBodyBytes)
    sourceEnded(transaction, URLError.transport(error, of: facts))
  }
}
