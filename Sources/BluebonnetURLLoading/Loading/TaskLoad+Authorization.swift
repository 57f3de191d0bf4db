import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

// The credentials of a request.
extension TaskLoad {
  /// Asks the server.
  func exchange(_ request: consuming ExchangeRequest) {
    state.phase = .loading
    if let listener, listener.hearsTransmission { request.tellsHead = true }
    if state.authentication != nil || engine.knowsSpaces || state.request.wording != nil {
      return authorize(request)
    }
    launch(request)
  }

  /// Sends a request that says to the origin what it has to say: a proxy that it goes to is told, too.
  func launch(_ request: consuming ExchangeRequest) {
    if case .proxy(let hop) = request.route.nextHop { return authorize(request, to: hop) }
    // A proxy's challenge, and the connection to it, are of no use where a redirect leads past it.
    if state.proxy != nil { state.proxy = nil }
    begin(request)
  }

  func begin(_ request: consuming ExchangeRequest) {
    let (own, proxies) = (state.authentication, state.proxy?.authentication)
    var bound: ConnectionLease?
    if let own, own.isBound {
      bound = own.lease
    } else if let proxies, proxies.isBound {
      bound = proxies.lease
    }
    // Made anew, it does not state the connection's identity.
    if let bound {
      request.route = bound.route
    } else if engine.settings.tls.answersPostHandshakeRequests {
      request = foreseeing(request)
    }
    if state.answersChallenge {
      state.answersChallenge = false
      request.answersChallenge = true
    }
    let exchange = RequestDriver(request, in: engine.pool, client: self, over: bound)
    own?.keepConnection(of: exchange)
    proxies?.keepConnection(of: exchange)
    state.source = exchange
    exchange.start()
    exchange.hold(state.incoming.holds)
  }

  /// Looks for the request's credentials, and puts it into its wire form once more if they require that.
  private func authorize(_ request: ExchangeRequest) {
    guard let target = currentTarget else {
      return launch(request)
    }
    if state.authentication?.machine.hasAnswer != true {
      takeKnown(for: target)
      openNTLM(at: target)
      openWithoutContent(request, at: target)
    }
    guard let authentication = state.authentication else {
      return launch(request)
    }
    if authentication.isBound, authentication.lease?.isOpen != true {
      authentication.isBound = false
      do throws(AuthenticationFault) {
        try authentication.machine.connectionLost()
      } catch {
        return finish(.authentication(error, at: state.request.url))
      }
    }
    let request = authentication.overProvedConnection(
      request, mayRely: state.proxy?.authentication == nil && !(hasContent && authentication.contentIsUnread),
      in: engine.pool)
    let hidesContent = authentication.machine.withholdsContent && request.hasBody
    if hidesContent || authentication.machine.hasAnswer && !state.secrets.isProved {
      state.secrets.proved = authentication.machine.identity
      authentication.contentIsUnread = hidesContent
      // Only a request with credentials, or with content to be held back, is made once more.
      if hidesContent || engine.requestBuilder.statesAuthorization(state.request, state.secrets)
        || state.secrets.authorization != nil
      {
        return prepareAndSend(state.request)
      }
    }
    guard let function = authentication.machine.contentHash, request.hasBody else {
      return authorize(request, target, hasContent ? .unknown("its content has not been hashed") : .none)
    }
    hash(request.body, by: function) { [self] content in
      if state.isOver { return }
      authorize(request, target, content)
    }
  }

  /// Begins NTLM before the server has asked, where the caller says so.
  private func openNTLM(at target: TargetURI) {
    guard state.authentication == nil, let wording = state.request.wording,
      let login = wording.ntlm?.login(for: NSURLAuthenticationMethodNTLM),
      !engine.requestBuilder.statesAuthorization(state.request, state.secrets)
    else { return }
    let authentication = LoadAuthentication(machine(for: target.origin))
    authentication.ownMemory = wording.proofs ?? SharedAuthenticationCache()
    authentication.machine.openNTLM(with: login, isKept: false)
    state.authentication = authentication
  }

  /// Holds content back that would only be refused, where the caller says so.
  private func openWithoutContent(_ request: ExchangeRequest, at target: TargetURI) {
    guard state.authentication == nil, request.hasBody, state.request.wording?.withholdsContent == true,
      !engine.requestBuilder.statesAuthorization(state.request, state.secrets)
    else { return }
    let authentication = LoadAuthentication(machine(for: target.origin))
    authentication.machine.opensWithoutContent = true
    state.authentication = authentication
  }

  /// Whether the request has content, sent or held back.
  var hasContent: Bool { if case .none = state.body { false } else { true } }

  private func authorize(
    _ request: ExchangeRequest, _ target: TargetURI, _ content: AuthenticatedRequest.Content
  ) {
    guard let authentication = state.authentication else { return }
    let facts = AuthenticatedRequest(
      method: state.request.httpMethod ?? "GET", target: target.path, content: content)
    do throws(AuthenticationFault) {
      switch try engine.withMemory(
        of: authentication,
        { memory throws(AuthenticationFault) in
          try authentication.machine.proof(for: facts, memory: &memory)
        })
      {
      case .none: send(request, with: nil)
      case .field(let value): send(request, with: value)
      case .later(let work):
        // A Kerberos server may be asked, which takes as long as it takes.
        DispatchQueue.global().async { [self] in
          let result = work()
          engine.loop.execute { [self] in made(result, request, target, content) }
        }
      }
    } catch {
      finish(.authentication(error, at: state.request.url))
    }
  }

  private func made(
    _ result: Result<FieldValue, AuthenticationFault>, _ request: ExchangeRequest, _ target: TargetURI,
    _ content: AuthenticatedRequest.Content
  ) {
    guard !state.isOver, let authentication = state.authentication else { return }
    do throws(AuthenticationFault) {
      guard let value = try authentication.machine.made(result) else {
        return authorize(request, target, content)
      }
      send(request, with: value)
    } catch {
      finish(.authentication(error, at: state.request.url))
    }
  }

  private func send(_ request: ExchangeRequest, with proof: FieldValue?) {
    guard let authentication = state.authentication else { return }
    var request = request
    if let proof {
      do throws(HTTP1Error) {
        let name = authentication.machine.side.credentialsFieldName
        request.encodedHead.add(try EncodedFields(name, proof))
      } catch {
        return finish(engine.requestBuilder.refusal(of: state.request, error))
      }
    }
    launch(request)
  }

  /// Takes the cached credentials of another request, where there are no others.
  private func takeKnown(for target: TargetURI) {
    if let authentication = state.authentication {
      let known =
        authentication.ownMemory?.withMemory {
          $0.space(of: target.origin, .origin, for: target.path, login: nil)
        }
        ?? known(for: target)
      if let known { authentication.machine.begin(with: known) }
      return
    }
    guard !engine.requestBuilder.statesAuthorization(state.request, state.secrets) else { return }
    if let proofs = state.request.wording?.proofs,
      let known = proofs.withMemory({
        $0.space(of: target.origin, .origin, for: target.path, login: nil)
      })
    {
      let authentication = LoadAuthentication(machine(for: target.origin))
      authentication.ownMemory = proofs
      authentication.machine.begin(with: known)
      state.authentication = authentication
      return
    }
    guard let known = known(for: target) else { return }
    // Those are sent anyway.
    if state.secrets.authorization != nil, known.offer.scheme == .basic { return }
    let authentication = LoadAuthentication(machine(for: target.origin))
    authentication.machine.begin(with: known)
    state.authentication = authentication
  }

  /// The known space of a target: by the credential of the URL or of the task's owner, or else by one
  /// that is in the storage still. In a session without a storage, by one that its delegate has given for the session.
  private func known(for target: TargetURI) -> AuthenticationCache.Space? {
    // Most places are not known at all.
    if engine.space(of: target.origin, for: target.path, login: nil) == nil { return nil }
    let space = URLProtectionSpace(target.origin, realm: nil, method: nil)
    let own = state.secrets.credential ?? listener?.credential(for: space, of: state.task)
    let login = own.flatMap { $0.login(for: NSURLAuthenticationMethodDefault) }
    let storage = engine.settings.urlCredentialStorage
    let known = engine.space(
      of: target.origin, for: target.path, login: login, isShared: own == nil && storage == nil)
    guard let known else { return nil }
    guard own == nil, let storage else { return known }
    guard let space = URLProtectionSpace(target.origin, known.offer), storage.holds(known.login, for: space)
    else { return nil }
    return known
  }

  func machine(for origin: WebOrigin) -> HTTPAuthentication {
    HTTPAuthentication(.origin, of: origin, allowing: engine.settings.authenticationSchemes)
  }
}

extension ExchangeRequest {
  fileprivate var hasBody: Bool { if case .none = body { false } else { true } }
}
