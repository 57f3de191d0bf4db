import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport

extension TaskLoad {
  /// The server's certificate: the listener evaluates it, or the default verification does.
  func exchange(
    _ exchange: RequestDriver, evaluate trust: ServerTrust, by evaluator: AnyObject?,
    decision: @escaping @Sendable (TrustDecision) -> Void
  ) {
    guard let listener = listener(for: evaluator),
      let target = currentTarget
    else {
      return decision(.performDefault)
    }
    let peer = exchange.withMetrics { metrics in
      metrics.connection.flatMap { $0.isProxied ? nil : $0.remoteAddress }
    }
    let asked = SecTrust(trust, peer: peer, revocation: engine.revocation)
    // The name that the connection was made for and is pooled under.
    let space = URLProtectionSpace(
      host: trust.host, port: Int(target.origin.port), protocol: NSURLProtectionSpaceHTTPS,
      realm: nil, authenticationMethod: NSURLAuthenticationMethodServerTrust, proxyType: nil,
      serverTrust: asked, distinguishedNames: nil)
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: nil, previousFailureCount: 0,
      failureResponse: nil, error: nil, sender: nil)
    let first = SingleAnswer()
    listener.executor.run { [self, task = state.task] in
      listener.task(task, didReceive: challenge) { [self] disposition, credential in
        guard first.take() else {
          return engine.loop.execute { [self] in reportIgnoredAnswer(to: .serverTrust) }
        }
        switch disposition {
        // Another trust was evaluated for another connection, or for none.
        case .useCredential: decision(credential?.trust === asked ? .accept : .performDefault)
        case .performDefaultHandling: decision(.performDefault)
        case .rejectProtectionSpace, .cancelAuthenticationChallenge:
          engine.loop.execute { [self] in rejectTrust(of: exchange, decision) }
        }
      }
    }
  }

  private func rejectTrust(of exchange: RequestDriver, _ decision: @Sendable (TrustDecision) -> Void) {
    // The load may have got another connection since, or gone on elsewhere: then the answer is about this connection alone.
    if state.source === exchange, case .loading = state.phase {
      state.ending =
        state.ending
        ?? .loading(
          .cancelled, url: state.request.url, phase: .securing,
          reason: "its delegate refused the server's certificate")
    }
    decision(.reject)
  }

  /// Reads a response's proof of the server's identity, or meets its challenge (RFC 9110 §11.6.1).
  ///
  /// - Parameter bodyLength: That of the response, which is the answer where its challenge is not met.
  /// - Returns: Whether the load goes on with something else than this response.
  func authenticates(by response: HTTPURLResponse, bodyLength: Int?) -> Bool {
    guard let authentication = authentication(for: response) else { return false }
    let step = engine.withMemory(of: authentication) { memory in
      authentication.machine.received(status: response.statusCode, fields: response.fields, memory: &memory)
    }
    switch step {
    case .pass:
      authentication.isBound = false
      authentication.passConnectionOn(
        isAlone: state.proxy?.authentication?.machine.isBoundToConnection != true)
      if response.statusCode != authentication.machine.side.status { store(authentication.answered.take()) }
      return false
    case .sendAgain(let overSameConnection):
      authentication.isBound = overSameConnection
      open(after: response, bodyLength: bodyLength) { [self] in
        accept(response, bodyLength: bodyLength)
        releaseDecision()
      }
    case .ask(let offers):
      authentication.isBound = false
      authentication.answered = nil
      // Give up after 20 rejected credentials.
      if authentication.machine.failures > Self.failureLimit { return false }
      ask(about: offers[...], all: offers, response, bodyLength: bodyLength)
    case .fail(let fault):
      state.task.setResponse(response)
      stop(.authentication(fault, at: state.request.url))
    }
    return true
  }

  private static var failureLimit: Int { 20 }

  private func authentication(for response: HTTPURLResponse) -> LoadAuthentication? {
    if let known = state.authentication { return known }
    guard response.statusCode == AuthenticationSide.origin.status, response.fields.contains(.wwwAuthenticate),
      let target = currentTarget
    else { return nil }
    let made = LoadAuthentication(machine(for: target.origin))
    state.authentication = made
    return made
  }

  /// Stores the credential that has opened the space, as far as the caller wants that.
  func store(_ answered: (credential: URLCredential, space: URLProtectionSpace)?) {
    guard let answered else { return }
    engine.settings.urlCredentialStorage?.set(answered.credential, for: answered.space)
  }

  /// Asks about one offer after the other, the strongest first, until one is answered.
  private func ask(
    about offers: ArraySlice<AuthenticationOffer>, all: [AuthenticationOffer], _ response: HTTPURLResponse,
    bodyLength: Int?, hasMisfit: Bool = false
  ) {
    guard let authentication = state.authentication else { return }
    var rest = offers
    guard let offer = rest.popFirst() else {
      if hasMisfit {
        state.task.setResponse(response)
        return stop(.unanswerable(all, at: state.request.url))
      }
      accept(response, bodyLength: bodyLength)
      return releaseDecision()
    }
    let (later, place) = (rest, authentication.machine.place)
    guard let space = URLProtectionSpace(place, offer) else {
      return ask(about: later, all: all, response, bodyLength: bodyLength, hasMisfit: hasMisfit)
    }
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: proposal(for: space, offer),
      previousFailureCount: authentication.machine.failures, failureResponse: response, error: nil,
      sender: nil)
    let question = state.ask(.credential)
    let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
      [self] disposition, credential in
      engine.loop.execute { [self] in
        guard take(question) else { return }
        switch answered(challenge, offer, disposition, credential) {
        case .taken:
          open(after: response, bodyLength: bodyLength) { [self] in
            ask(about: later, all: all, response, bodyLength: bodyLength, hasMisfit: hasMisfit)
          }
        case .cancelled: break
        case .notTaken(let isMisfit):
          ask(about: later, all: all, response, bodyLength: bodyLength, hasMisfit: hasMisfit || isMisfit)
        case .declined: ask(about: [], all: all, response, bodyLength: bodyLength)
        }
      }
    }
    if let listener {
      listener.executor.run { [task = state.task] in
        listener.task(task, didReceive: challenge, answer: answer)
      }
    } else {
      answer(.performDefaultHandling, nil)
    }
    if case .deciding = state.phase { hold(.decision) }
  }

  /// Sends credentials with the next request, if all they need is there: it is looked for while the response still is.
  ///
  /// - Parameter giveUp: Goes on without an answer.
  private func open(
    after response: HTTPURLResponse, bodyLength: Int?, otherwise giveUp: @escaping @Sendable () -> Void
  ) {
    guard let authentication = state.authentication else { return }
    let work: AuthenticationProof.Work
    do throws(AuthenticationFault) {
      guard let found = try authentication.machine.opening() else {
        return passOver(response, then: .resendWithCredentials)
      }
      work = found
    } catch {
      authentication.takeBackAnswer()
      return giveUp()
    }
    let question = state.ask(.credential)
    // A Kerberos server may be asked, which takes as long as it takes.
    DispatchQueue.global().async { [self] in
      let result = work()
      engine.loop.execute { [self] in
        guard take(question), let authentication = state.authentication else { return }
        guard case .success(let field) = result else {
          authentication.takeBackAnswer()
          return giveUp()
        }
        authentication.machine.open(with: field)
        passOver(response, then: .resendWithCredentials)
      }
    }
    if case .deciding = state.phase { hold(.decision) }
  }

  /// The response is not the task's. A listener that hears what goes over the wire has heard of it before the next request is
  /// made: what that says may follow from it, such as cookies.
  func passOver(_ response: HTTPURLResponse, then next: LoadState.NextStep) {
    guard let listener, listener.hearsTransmission else { return discard(state.response, then: next) }
    let question = state.ask(.transmission)
    listener.executor.run { [self, task = state.task] in
      listener.task(task, willProveAfter: response)
      engine.loop.execute { [self] in
        if take(question) { discard(state.response, then: next) }
      }
    }
    if case .deciding = state.phase { hold(.decision) }
  }

  /// The credential that is tried without the delegate's answer: the URL's, or the storage's.
  private func proposal(for space: URLProtectionSpace, _ offer: AuthenticationOffer) -> URLCredential? {
    // The URL's has been sent for Basic already.
    if offer.scheme != .basic || state.secrets.isProved, let own = state.secrets.credential { return own }
    return engine.settings.urlCredentialStorage?.proposal(for: space)
  }

  /// The answer to an offer.
  private enum OfferAnswer {
    case taken
    /// The next one is asked about.
    ///
    /// - Parameter isMisfit: There was a credential, of another kind.
    case notTaken(isMisfit: Bool)
    /// None is answered.
    case declined
    case cancelled
  }

  private func answered(
    _ challenge: URLAuthenticationChallenge, _ offer: AuthenticationOffer,
    _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?
  ) -> OfferAnswer {
    guard let authentication = state.authentication else { return .declined }
    let chosen: URLCredential
    switch disposition {
    case .useCredential:
      guard let credential else { return .declined }
      chosen = credential
    case .performDefaultHandling:
      // A known credential is tried once.
      guard authentication.machine.failures == 0, let proposed = challenge.proposedCredential else {
        return .notTaken(isMisfit: false)
      }
      chosen = proposed
    case .rejectProtectionSpace: return .notTaken(isMisfit: false)
    case .cancelAuthenticationChallenge:
      stop(
        .loading(
          .userCancelledAuthentication, url: state.request.url, phase: .waiting,
          reason: "the \(offer.scheme.name) challenge was cancelled"))
      return .cancelled
    }
    guard let login = chosen.login(for: challenge.protectionSpace.authenticationMethod) else {
      return .notTaken(isMisfit: chosen.user != nil)
    }
    let isOfURL = chosen == state.secrets.credential
    if chosen.persistence == .none, !isOfURL, authentication.ownMemory == nil {
      authentication.ownMemory = state.request.wording?.proofs ?? SharedAuthenticationCache()
    }
    authentication.answered = isOfURL ? nil : (chosen, challenge.protectionSpace)
    // The session's delegate speaks for all of its requests, a task's own one and an owner for that one.
    let isShared =
      chosen.persistence != .none && !isOfURL && ownDelegate == nil && listener === engine.listener
    authentication.machine.answer(offer, with: login, isShared: isShared)
    return .taken
  }

  /// Sends the request once more, with another proof.
  func resendWithCredentials() {
    guard let authentication = state.authentication else { return }
    state.answersChallenge = !authentication.isBound
    state.secrets.proved = authentication.machine.identity
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
