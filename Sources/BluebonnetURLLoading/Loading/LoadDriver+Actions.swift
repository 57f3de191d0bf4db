import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

// What the machine wants done.
extension LoadDriver {
  func run(_ action: LoadAction) {
    switch action {
    case .enter(let stage): enter(stage)
    case .send: sendToServer()
    case .examine(let stage): examine(stage)
    case .deliver: deliver()
    case .discard(let next): discard(state.response, then: next)
    case .passOver(let next): passOver(then: next)
    case .keep(let record, let change):
      state.cache?.keep(record, change)
      responsePassed()
    case .serve(let index, let serving, let change):
      guard let cache = state.cache else { return endLost("stored response") }
      cache.serve(index, serving, change)
    case .askAboutRedirect(let question, let redirect): RedirectDriver(load: self).ask(question, redirect)
    // Only sides ask so, and they carry it out themselves.
    case .askForCredential: assertionFailure("a side asks for its credentials")
    case .fail(let fault): stopAtChallenge(.authentication(fault, at: state.request.url))
    case .failUnanswerable(let offers): stopAtChallenge(.unanswerable(offers, at: state.request.url))
    }
  }

  private func stopAtChallenge(_ error: URLError) {
    if let response = state.response { state.task.setResponse(response) }
    stop(error)
  }

  /// What the machine's action needs is not there, which cannot be: a load that ends is better than one that hangs.
  private func endLost(_ what: String) {
    assertionFailure("the \(what) is there")
    finish(.loading(.unknown, url: state.request.url, phase: currentPhase, reason: "its \(what) was lost"))
  }

  // MARK: The request

  /// The stages that have something to do with the prepared request.
  var requestStages: RequestStage.Set {
    var stages = requestStagesBehindCache
    // Classes answer with responses, and know nothing of messages.
    if let protocols = engine.protocols, state.webSocket == nil, protocols.areAsked {
      stages.formUnion(.classes)
    }
    if case .some = prepared.local { stages.formUnion(.local) }
    if case .some = prepared.answer { stages.formUnion(.memory) }
    if case .some = prepared.exchange, engine.cache != nil || wantsStored { stages.formUnion(.cache) }
    return stages
  }

  /// Nothing else than a stored response will do.
  private var wantsStored: Bool {
    state.request.cachePolicy == .returnCacheDataDontLoad
      || engine.settings.requestCachePolicy == .returnCacheDataDontLoad
  }

  /// Those of a request that the cache has sent on.
  var requestStagesBehindCache: RequestStage.Set {
    // Looked at where it lies: it is large.
    guard case .some = prepared.exchange else { return .none }
    var stages = mayProveItself ? RequestStage.Set.origin : .none
    if engine.requests != nil { stages.formUnion(.turn) }
    if engine.requestBuilder.asksForProxies, case .proxy? = prepared.exchange?.route.nextHop {
      stages.formUnion(.proxy)
    } else if state.proxy != nil {
      // Its challenge, and the connection to it, are of no use where a redirect leads past it.
      state.proxy = nil
    }
    return stages
  }

  /// Whether there are credentials for the origin, or may be when the stages before have been passed, which may take a while.
  private var mayProveItself: Bool {
    state.originChallenges != nil || engine.pool.hasCredentials || state.request.rawOptions != nil
      || engine.cache != nil || engine.requests != nil || engine.protocols != nil
  }

  private func enter(_ stage: RequestStage) {
    switch stage {
    case .classes:
      guard let protocols = engine.protocols else { return requestPassed() }
      choose(among: protocols)
    case .local:
      guard let local = prepared.local else { return endLost("class for local URLs") }
      ClassDriver(of: self).begin(local)
    case .memory:
      guard let answer = prepared.answer else { return endLost("stored response") }
      serve(answer)
    case .cache: if !lookUpCache() { requestPassed() }
    case .turn:
      guard let requests = engine.requests, let host = prepared.exchange?.route.host else {
        return requestPassed()
      }
      requests.ask(self, for: host)
    case .origin: RequestAuthorization(load: self).authorizeToOrigin()
    case .proxy: RequestAuthorization(load: self).authorizeToProxy()
    }
  }

  /// The stage has let the request pass.
  func requestPassed() { run(state.machine.requestPassed()) }

  func challenges(of side: AuthenticationSide) -> ChallengeDriver? {
    side == .origin ? state.originChallenges : state.proxy?.challenges
  }

  /// The request has passed all of its stages.
  func sendToServer() {
    guard case .some = prepared.exchange else {
      guard let failure = prepared.failure else {
        return assertionFailure("a request is prepared before it is sent")
      }
      return finish(failure)
    }
    if let listener, listener.hearsTransmission { prepared.exchange?.tellsHead = true }
    let (origin, proxy) = (state.originChallenges, state.proxy?.challenges)
    // Made anew, it does not state the connection's identity.
    let bound = origin?.boundConnection ?? proxy?.boundConnection
    if let bound {
      prepared.exchange?.route = bound.route
    } else if engine.settings.tls.answersPostHandshakeRequests {
      IdentityQuestions(load: self).foreseeAnswer()
    }
    if state.answersChallenge {
      state.answersChallenge = false
      prepared.exchange?.answersChallenge = true
    }
    guard let request = prepared.takeExchange() else { return }
    let exchange = RequestDriver(consume request, in: engine.pool, client: self, over: bound)
    origin?.keepConnection(of: exchange)
    proxy?.keepConnection(of: exchange)
    state.source = exchange
    exchange.start()
    exchange.hold(state.incoming.holds)
  }

  /// Whether the request has content, sent or held back.
  var hasContent: Bool { if case .none = state.body { false } else { true } }

  // MARK: The response

  /// The head of a final response has come from a server, or from the store in its place.
  func received(_ response: HTTPURLResponse, by stages: ResponseStage.Set) {
    // Nearly all responses.
    if stages.rawValue == 0 { return deliver() }
    let head = LoadHead(
      status: response.statusCode, fields: response.fields,
      expectsContinue: response.statusCode == 417 && state.source?.expectsContinue == true)
    run(state.machine.received(head, by: stages))
  }

  /// The stages that have something to do with a server's response.
  func responseStages(of response: HTTPURLResponse) -> ResponseStage.Set {
    var stages = ResponseStage.Set.none
    if engine.storageQueue != nil || state.request.httpMethod != "GET" || response.fields.contains(.setCookie)
    {
      stages.formUnion(.storages)
    }
    if state.cache != nil { stages.formUnion(.cache) }
    if state.proxy != nil { stages.formUnion(.proxy) }
    let status = response.statusCode
    if state.originChallenges != nil || status == 401 { stages.formUnion(.origin) }
    if status == 417 { stages.formUnion(.expectation) }
    if RedirectPolicy.isRedirect(status) { stages.formUnion(.redirect) }
    return stages
  }

  private func noteInStorages(_ response: HTTPURLResponse) {
    let work = ResponseStorages(engine: engine).note(
      response, to: state.request,
      from: engine.requestBuilder.cookieURL(of: state.request, prepared.credentials))
    guard let work else { return responsePassed() }
    let question = state.machine.ask(.storages)
    hold(.decision)
    consult(on: work.queue, work.run) { [self] limit in
      guard take(question) else { return }
      state.incoming.copyLimit = limit
      responsePassed()
      releaseDecision()
    }
  }

  private func examine(_ stage: ResponseStage) {
    guard let response = state.response else { return assertionFailure("there is a response to examine") }
    switch stage {
    case .storages: noteInStorages(response)
    // The machine does that itself.
    case .expectation: responsePassed()
    case .cache: state.cache?.examine(response) ?? responsePassed()
    case .proxy: RequestAuthorization(load: self).examineProxyChallenge(response)
    case .origin: RequestAuthorization(load: self).examineOriginChallenge(response)
    case .redirect: RedirectDriver(load: self).examine()
    }
  }

  /// The stage has let the response pass.
  func responsePassed() { run(state.machine.responsePassed()) }

  var delivery: BodyDelivery { BodyDelivery(load: self) }

  /// The final response: asks the listener, then lets the body flow.
  func deliver() {
    guard let response = state.response else { return assertionFailure("there is a response to deliver") }
    if let link = state.webSocket { return driver(of: link).takeOpening(response) }
    if case .file(let file) = state.incoming.sink, DownloadDriver(load: self, file: file).accepts(response) {
      return
    }
    let length = state.bodyLength.map(Int64.init) ?? NSURLSessionTransferSizeUnknown
    begin(response, of: length, isKept: state.cache?.record != nil)
    delivery.takeBody(of: response)
  }

  /// The response becomes the task's.
  func begin(_ response: URLResponse, of length: Int64, isKept: Bool) {
    state.task.setResponse(response, expecting: length)
    state.incoming.begin(length: length, isCopied: isKept)
    if isKept, engine.storageQueue == nil { state.incoming.copyLimit = engine.settings.copyLimit }
  }

  // MARK: The next step

  /// The unwanted body is over.
  func perform(_ next: NextStep) {
    switch next {
    case .follow:
      guard let request = state.nextRequest.take() else { return endLost("next request") }
      RedirectDriver(load: self).follow(request)
    case .resend(let side):
      guard let challenges = challenges(of: side) else { return endLost("challenge") }
      challenges.resend()
    case .sendUnconditionally:
      state.response = nil
      prepareAndSend(state.request)
    case .sendWithoutExpect: RedirectDriver(load: self).follow(state.request)
    case .sendForWhole: RedirectDriver(load: self).follow(state.request.forTheWhole)
    case .serve:
      guard let cache = state.cache else { return endLost("stored response") }
      cache.serveAnswer()
    case .finish: finish(nil)
    }
  }
}
