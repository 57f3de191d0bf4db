import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTransport

// Credentials for an HTTP proxy that gets the request itself (RFC 9110 §11.7).
extension TaskLoad {
  /// The meaning of a response for the authentication with the proxy.
  enum ProxyStep {
    /// The load goes on with something else than this response.
    case goesOn
    /// The proxy's refusal is the answer.
    case refused
    /// It is not about the proxy.
    case passed
  }

  /// Adds the credentials for the proxy to the request, and sends it.
  func authorize(_ request: consuming ExchangeRequest, to hop: ProxyHop) {
    if state.proxy?.hop != hop {
      state.proxy = LoadProxy(hop, isStated: request.statesProxyAuthorization)
    } else {
      // A redirect to elsewhere takes away what the caller has stated.
      state.proxy?.isStated = request.statesProxyAuthorization
    }
    if request.statesProxyAuthorization { return begin(request) }
    let known = state.proxy?.authentication ?? knownAuthentication(for: request)
    if known == nil, let login = hop.server.loginAtOnce, let opened = state.proxy?.makeAuthentication() {
      opened.machine.openNTLM(with: login, isKept: true)
      // Made once more, without its content, which would only be refused.
      if !request.body.isNone {
        opened.contentIsUnread = true
        return prepareAndSend(state.request)
      }
      return authorize(request, to: hop)
    }
    guard let authentication = known else {
      // What goes out at once needs no machine.
      if let fields = hop.authorization { request.encodedHead.add(fields) }
      return begin(request)
    }
    if authentication.isBound, authentication.lease?.isOpen != true {
      authentication.isBound = false
      do throws(AuthenticationFault) {
        try authentication.machine.connectionLost()
      } catch {
        return finish(.authentication(error, at: state.request.url))
      }
    }
    let mayRely = state.authentication == nil && !(hasContent && authentication.contentIsUnread)
    proveToProxy(
      authentication.overProvedConnection(request, mayRely: mayRely, in: engine.pool), authentication)
  }

  /// The known credentials of another request for the proxy.
  private func knownAuthentication(for request: borrowing ExchangeRequest) -> LoadAuthentication? {
    guard !engine.pool.proxyMemory.isEmpty, let proxy = state.proxy,
      let known = known(of: proxy, for: request)
    else { return nil }
    let authentication = state.proxy?.makeAuthentication()
    authentication?.machine.begin(with: known)
    return authentication
  }

  private func known(
    of proxy: LoadProxy, for request: borrowing ExchangeRequest
  ) -> AuthenticationCache.Space? {
    guard
      let known = engine.pool.proxyMemory.space(
        of: proxy.place, .proxy, for: "", login: proxy.hop.server.login)
    else { return nil }
    if known.offer.scheme != .ntlm || request.body.isNone { return known }
    // Its first step goes without content, already in the request. Over an authenticated connection
    // there is no such step.
    guard state.authentication == nil,
      engine.pool.hasIdle(request.route, standingFor: known.identity(at: .proxy))
    else { return nil }
    return known
  }

  private func proveToProxy(_ request: ExchangeRequest, _ authentication: LoadAuthentication) {
    let address = state.request.url.flatMap { try? TargetURI.of($0) }
    let provesPath = state.proxy?.hop.server.provesPath ?? false
    let target = (provesPath ? address?.path : address?.absoluteForm) ?? ""
    let asked = AuthenticatedRequest(
      method: state.request.httpMethod ?? "GET", target: target,
      content: request.body.isNone ? .none : .unknown("the content of requests to proxies is not hashed"))
    do throws(AuthenticationFault) {
      let proof = try withProxyMemory(of: authentication) { memory throws(AuthenticationFault) in
        try authentication.machine.proof(for: asked, memory: &memory)
      }
      switch proof {
      case .none: begin(request)
      case .field(let value): begin(request, withProof: value)
      case .later(let work):
        // A Kerberos server may be asked, which takes as long as it takes.
        DispatchQueue.global().async { [self] in
          let result = work()
          engine.loop.execute { [self] in provedToProxy(result, request) }
        }
      }
    } catch {
      finish(.authentication(error, at: state.request.url))
    }
  }

  private func provedToProxy(_ result: Result<FieldValue, AuthenticationFault>, _ request: ExchangeRequest) {
    guard !state.isOver, let authentication = state.proxy?.authentication else { return }
    do throws(AuthenticationFault) {
      guard let value = try authentication.machine.made(result) else {
        return proveToProxy(request, authentication)
      }
      begin(request, withProof: value)
    } catch {
      finish(.authentication(error, at: state.request.url))
    }
  }

  private func begin(_ request: ExchangeRequest, withProof value: FieldValue) {
    do throws(HTTP1Error) {
      begin(request, with: try EncodedFields("Proxy-Authorization", value))
    } catch {
      finish(engine.requestBuilder.refusal(of: state.request, error))
    }
  }

  private func begin(_ request: ExchangeRequest, with fields: EncodedFields) {
    var request = request
    request.encodedHead.add(fields)
    begin(request)
  }

  /// The credentials that open tunnels open the proxy for requests, too.
  private func withProxyMemory<Result, Failure: Error>(
    of authentication: LoadAuthentication,
    _ body: (inout AuthenticationCache) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let own = authentication.ownMemory { return try own.withMemory(body) }
    return try body(&engine.pool.proxyMemory)
  }

  /// Reads a response's proof of the proxy's identity, or meets its challenge.
  func authenticatesToProxy(by response: HTTPURLResponse, bodyLength: Int?) -> ProxyStep {
    let isChallenge = response.statusCode == AuthenticationSide.proxy.status
    guard isChallenge || state.proxy?.authentication != nil, let proxy = state.proxy else { return .passed }
    if proxy.isStated { return isChallenge ? .refused : .passed }
    let wasAhead = proxy.authentication == nil && proxy.hop.authorization != nil
    guard let authentication = state.proxy?.makeAuthentication() else { return .passed }
    var step = received(response, authentication)
    // What went out before the proxy had asked is not given once more.
    if wasAhead, case .sendAgain = step, authentication.machine.scheme == .basic {
      step = markRejected(authentication, response)
    }
    switch step {
    case .pass:
      if !isChallenge {
        store(authentication.answered.take())
        authentication.passConnectionOn(isAlone: state.authentication?.machine.isBoundToConnection != true)
      }
      return isChallenge ? .refused : .passed
    case .sendAgain(let overSameConnection):
      authentication.isBound = overSameConnection
      passOver(response, then: .proveToProxy)
    case .ask(let offers):
      authentication.isBound = false
      authentication.answered = nil
      // Give up after 20 rejected credentials.
      if authentication.machine.failures > 20 { return .refused }
      let challenge = ProxyChallenge(
        server: proxy.hop.server, offers: offers, failures: authentication.machine.failures)
      ask(ProxyQuestion(challenge, response), authentication, response, bodyLength: bodyLength)
    case .fail(let fault):
      state.task.setResponse(response)
      stop(.authentication(fault, at: state.request.url))
    }
    return .goesOn
  }

  private func received(
    _ response: HTTPURLResponse, _ authentication: LoadAuthentication
  ) -> HTTPAuthentication.Step {
    withProxyMemory(of: authentication) { memory in
      authentication.machine.received(status: response.statusCode, fields: response.fields, memory: &memory)
    }
  }

  /// Has the machine know that what it would answer has been refused.
  private func markRejected(
    _ authentication: LoadAuthentication, _ response: HTTPURLResponse
  ) -> HTTPAuthentication.Step {
    var memory = AuthenticationCache()
    _ = try? authentication.machine.proof(
      for: AuthenticatedRequest(method: "GET", target: ""), memory: &memory)
    return received(response, authentication)
  }

  private func ask(
    _ question: ProxyQuestion, _ authentication: LoadAuthentication, _ response: HTTPURLResponse,
    bodyLength: Int?
  ) {
    let asked = state.ask(.proxyCredential)
    let answer: @Sendable (ProxyAnswer?) -> Void = { [self] answer in
      engine.loop.execute { [self] in
        guard take(asked), let authentication = state.proxy?.authentication else { return }
        guard let answer, answer.login.fits(answer.offer.scheme) else {
          accept(response, bodyLength: bodyLength)
          return releaseDecision()
        }
        if !answer.isKept, authentication.ownMemory == nil {
          authentication.ownMemory = SharedAuthenticationCache()
        }
        authentication.machine.answer(answer.offer, with: answer.login)
        passOver(response, then: .proveToProxy)
      }
    }
    ask(question, from: 0, isOpen: { [self] in state.waits(for: asked) }, answer)
    if case .deciding = state.phase { hold(.decision) }
  }

  /// Sends the request once more, with another proof for the proxy.
  func proveToProxyAgain() {
    guard let authentication = state.proxy?.authentication else { return }
    state.answersChallenge = !authentication.isBound
    let status = state.response?.statusCode
    state.response = nil
    let isUnread = authentication.contentIsUnread
    authentication.contentIsUnread = authentication.machine.withholdsContent
    if !isUnread, case .source(let source) = state.body, !source.rewind() {
      return replaceBody(of: state.request, from: source, after: status)
    }
    prepareAndSend(state.request)
  }
}

extension RequestBody {
  fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}
