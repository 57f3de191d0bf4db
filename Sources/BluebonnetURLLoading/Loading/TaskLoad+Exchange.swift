import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTLS
import BluebonnetTransport

extension TaskLoad: ExchangeClient {
  var trustEvaluator: AnyObject? { ownDelegate ?? engine.listener?.taskDelegate }
  var urgency: Float { task.priority }

  func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {
    guard let url = request.url else {
      return stop(.loading(.badURL, url: nil, phase: .preparing, reason: "there is no address"))
    }
    let response = HTTPURLResponse(
      url: url, statusCode: head.status, minorVersion: head.minorVersion, fields: head.fields)
    self.response = response
    noteInStorages(response, bodyLength: bodyLength)
  }

  func keepsBody(of exchange: RequestDriver) -> Bool {
    switch sink {
    case .memory, .gathering: true
    case .file: false
    case .delegate: listener?.keepsBody(of: task) ?? false
    }
  }

  func exchange(_ exchange: RequestDriver, didReceiveInterim head: ResponseHead) {
    guard let listener, let url = request.url else { return }
    let response = HTTPURLResponse(
      url: url, statusCode: head.status, minorVersion: head.minorVersion, fields: head.fields)
    listener.executor.run { [task] in listener.task(task, didReceiveInterim: response) }
  }

  func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {
    switch phase {
    case .receiving: receive(bytes)
    case .discarding: discard(bytes.count)
    case .initial, .loading, .deciding, .concluding, .finished: break
    }
  }

  func exchange(_ exchange: RequestDriver, didSendBody count: Int) {
    task.count { $0.sent += Int64(count) }
    guard let listener else { return }
    let counts = task.byteCounts
    listener.executor.run { [task] in listener.task(task, didSend: Int64(count), counts) }
  }

  func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
    self.exchange = nil
    endDiscarding()
    let metrics = exchange.takeMetrics()
    add(
      URLSessionTaskTransactionMetrics(request: request, response: response, metrics: metrics, clock: clock))
    if let ending { return finish(ending) }
    if case .discarding(let next) = phase { return follow(next) }
    guard let error else { return finish(nil) }
    if engine.settings.waitsForConnectivity, error.lacksConnectivity { return waitForConnectivity() }
    finish(.transport(error, of: facts(with: metrics)))
  }
}

extension TaskLoad {
  private func facts(with metrics: ExchangeMetrics) -> FailedExchange {
    FailedExchange(
      url: request.url, method: request.httpMethod, response: response,
      bodyBytes: metrics.responseBodyBytes)
  }
}
