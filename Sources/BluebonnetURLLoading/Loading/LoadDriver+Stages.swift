// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

// What stands behind the machine's stages.
extension LoadDriver {
  // MARK: The request

  func enter(_ stage: RequestStage) {
    authorization?.leaveUnusedProxy()
    switch stage {
    case .classes: ClassDriver(of: self).choose()
    case .local:
      guard let local = prepared.local else { return endLost("class for local URLs") }
      ClassDriver(of: self).begin(local)
    case .memory:
      guard let answer = prepared.answer else { return endLost("stored response") }
      serve(.whole(answer.data), of: answer.response)
    case .cache: if !lookUpCache() { requestPassed() }
    case .turn: askForTurn()
    case .origin where authorization != nil || mayKnowCredentials:
      authorizing.authorizeToOrigin()
    case .proxy where authorization != nil || RequestAuthorization.isNeeded(atProxyOf: self):
      authorizing.authorizeToProxy()
    case .origin, .proxy: requestPassed()
    }
  }

  /// The request's way past challenges, made when it is needed first.
  private var authorizing: RequestAuthorization {
    if let authorization { return authorization }
    let made = RequestAuthorization(of: self)
    authorization = made
    return made
  }

  /// Asks the cache, once.
  ///
  /// - Returns: false if it has nothing to do with the request.
  private func lookUpCache() -> Bool {
    if cache != nil { return false }
    if let session = engine.cache, let driver = CacheDriver.make(for: self, in: session) {
      cache = driver
      return driver.begin()
    }
    return refusesUncached()
  }

  /// The request has passed all of its stages.
  func sendToServer() {
    guard case .some = prepared.exchange else { return failUnprepared() }
    let bound = authorization?.boundConnection
    // Made anew, it does not state the connection's identity.
    readyToSend(over: bound?.route)
    if bound == nil, engine.settings.tls.answersPostHandshakeRequests {
      IdentityQuestions(load: self).foreseeAnswer()
    }
    cache?.requestIsSent()
    guard let request = prepared.takeExchange() else { return }
    let exchange = RequestDriver(consume request, in: engine.pool, client: self, over: bound)
    authorization?.keepConnection(of: exchange)
    state.source = exchange
    // Before it begins: over a kept connection, it is sent at once.
    exchange.hold(state.incoming.holds)
    exchange.start()
  }

  // MARK: The response

  func examine(_ stage: ResponseStage) {
    guard let response = state.response else { return endLost("response") }
    switch stage {
    case .storages: ResponseStorages(load: self).note(response)
    // The machine does that itself.
    case .expectation: responsePassed()
    case .cache: cache?.examine(response) ?? responsePassed()
    case .proxy: authorizing.examineProxyChallenge(response)
    case .origin: authorizing.examineOriginChallenge(response)
    case .redirect: RedirectDriver(load: self).examine()
    }
  }

  /// The final response: asks the listener, then lets the body flow.
  func deliver() {
    guard let response = state.response else { return endLost("response") }
    if let webSocket { return webSocket.takeOpening(response) }
    if case .file(let file) = state.incoming.sink, DownloadDriver(load: self, file: file).accepts(response) {
      return
    }
    let length = state.bodyLength.map(Int64.init) ?? NSURLSessionTransferSizeUnknown
    begin(response, of: length, isKept: cache?.record != nil)
    delivery.takeBody(of: response)
  }

  /// Sends the next request: after a redirect, or once more in another form.
  func sendNext(_ next: URLRequest) {
    // A stored response is looked for under each address.
    leaveCache()
    RedirectDriver(load: self).sendNext(next) { authorization?.leaveOrigin() }
  }
}
