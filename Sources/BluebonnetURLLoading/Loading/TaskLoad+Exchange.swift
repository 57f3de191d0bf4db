import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport

// Responses of servers.
extension TaskLoad: ExchangeClient {
  var trustEvaluator: AnyObject? { ownDelegate ?? engine.listener?.taskDelegate }
  var urgency: Float {
    let priority = state.task.priority
    return priority.isNaN ? URLSessionTask.defaultPriority : priority
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
    guard let url = state.request.url else {
      return stop(.loading(.badURL, url: nil, phase: .preparing, reason: "there is no address"))
    }
    let response = HTTPURLResponse(
      url: url, statusCode: head.status, minorVersion: head.minorVersion, fields: head.fields)
    state.response = response
    if let caching = state.caching { caching.exchange.trustSource = trustSource(of: exchange) }
    noteInStorages(response, bodyLength: bodyLength)
  }

  /// The source of trust in the server. Another task's delegate may have accepted it, or one that the task has no longer.
  private func trustSource(of exchange: RequestDriver) -> CacheExchange.TrustSource {
    guard goesAsConfigured(exchange) else { return .taskDelegate }
    guard exchange.isUnverified else { return .anchors }
    guard let evaluator = engine.listener?.taskDelegate else { return .taskDelegate }
    return exchange.wasTrusted(by: evaluator) ? .evaluator : .taskDelegate
  }

  /// All of the response has come.
  private func exchangeEnded(_ transaction: consuming LoadTransaction) {
    state.authentication?.letGoOfConnection()
    state.proxy?.authentication?.letGoOfConnection()
    if state.ending == nil, let link = state.webSocket, let connection = link.upgraded.take() {
      state.add(transaction, clock: clock)
      return goOn(over: connection, link)
    }
    sourceEnded(transaction, nil)
  }

  func keepsBody(of exchange: RequestDriver) -> Bool {
    switch state.incoming.sink {
    case .memory, .gathering: true
    case .file, .reader: false
    case .delegate: listener?.keepsBody(of: state.task) ?? false
    }
  }

  func exchange(_ exchange: RequestDriver, didReceiveInterim head: ResponseHead) {
    guard let listener, let url = state.request.url else { return }
    let response = HTTPURLResponse(
      url: url, statusCode: head.status, minorVersion: head.minorVersion, fields: head.fields)
    listener.executor.run { [task = state.task] in listener.task(task, didReceiveInterim: response) }
  }

  func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {
    switch state.phase {
    case .receiving: receive(bytes)
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
    doubtIdentity(after: error, of: exchange)
    if let answer = standIn(for: error) {
      state.source = nil
      state.add(transaction, clock: clock)
      return serve(answer.found, answer.serving)
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
