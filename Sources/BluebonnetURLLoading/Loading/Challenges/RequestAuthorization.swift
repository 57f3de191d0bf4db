import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// Finds the credentials that a load's request goes out with before it is challenged, and the `ChallengeDriver` for the challenge
/// that a response makes.
struct RequestAuthorization {
  let load: LoadDriver

  // MARK: The origin

  /// Adds the credentials for the origin.
  func authorizeToOrigin() {
    if let known = load.state.originChallenges, let target = load.currentTarget,
      !known.stage.isFor(target.origin)
    {
      load.state.originChallenges = nil
    }
    if load.state.originChallenges != nil || load.engine.pool.hasCredentials
      || load.state.request.rawOptions != nil
    {
      foreseeChallenge()
      if let challenges = load.state.originChallenges { return challenges.authorize() }
    }
    load.requestPassed()
  }

  /// Begins to authenticate to the origin before a challenge, where one is known to come.
  private func foreseeChallenge() {
    guard load.state.originChallenges?.stage.authentication.hasAnswer != true, let target = load.currentTarget
    else {
      return
    }
    takeKnown(for: target)
    guard load.state.originChallenges == nil, let rawOptions = load.state.request.rawOptions,
      !load.engine.requestBuilder.statesAuthorization(load.state.request, load.state.credentials)
    else { return }
    // The caller knows that it will come, and how.
    if let login = rawOptions.ntlm?.login(for: NSURLAuthenticationMethodNTLM) {
      let challenges = makeOriginChallenges(target.origin)
      challenges.ownCache = rawOptions.authenticationCache ?? SharedAuthenticationCache()
      challenges.stage.authentication.openNTLM(with: login, isKept: false)
    } else if rawOptions.withholdsContent, load.prepared.exchange?.hasBody == true {
      makeOriginChallenges(target.origin).stage.authentication.opensWithoutContent = true
    }
  }

  @discardableResult
  private func makeOriginChallenges(_ origin: WebOrigin) -> ChallengeDriver {
    let made = ChallengeDriver(
      of: load, HTTPAuthentication(.origin, of: origin, allowing: load.engine.settings.authenticationSchemes))
    load.state.originChallenges = made
    return made
  }

  /// Takes the cached credentials of another request, where there are no others.
  private func takeKnown(for target: TargetURI) {
    if let challenges = load.state.originChallenges {
      let known = challenges.ownCache?.space(of: target) ?? known(for: target)
      if let known { challenges.stage.authentication.begin(with: known) }
      return
    }
    guard !load.engine.requestBuilder.statesAuthorization(load.state.request, load.state.credentials) else {
      return
    }
    if let proofs = load.state.request.rawOptions?.authenticationCache, let known = proofs.space(of: target) {
      let challenges = makeOriginChallenges(target.origin)
      challenges.ownCache = proofs
      return challenges.stage.authentication.begin(with: known)
    }
    guard let known = known(for: target) else { return }
    // Those are sent anyway.
    if load.state.credentials.authorization != nil, known.offer.scheme == .basic { return }
    makeOriginChallenges(target.origin).stage.authentication.begin(with: known)
  }

  /// The known space of a target: by the credential of the URL or of the task's owner, or else by one
  /// that is in the storage still. In a session without a storage, by one that its delegate has given for the session.
  private func known(for target: TargetURI) -> AuthenticationCache.Space? {
    func space(login: Login?, isShared: Bool = false) -> AuthenticationCache.Space? {
      load.engine.pool.withCredentials {
        $0.space(of: target.origin, .origin, for: target.path, login: login, isShared: isShared)
      }
    }
    // Most places are not known at all.
    if space(login: nil) == nil { return nil }
    let own =
      load.state.credentials.credential
      ?? load.listener?.credential(
        for: URLProtectionSpace(target.origin, realm: nil, method: nil), of: load.state.task)
    let login = own.flatMap { $0.login(for: NSURLAuthenticationMethodDefault) }
    let storage = load.engine.settings.urlCredentialStorage
    guard let known = space(login: login, isShared: own == nil && storage == nil) else { return nil }
    guard own == nil, let storage else { return known }
    guard let space = URLProtectionSpace(target.origin, known.offer), storage.holds(known.login, for: space)
    else { return nil }
    return known
  }

  /// Reads a response's proof of the origin's identity, or meets its challenge.
  func examineOriginChallenge(_ response: HTTPURLResponse) {
    if load.state.originChallenges == nil, response.statusCode == AuthenticationSide.origin.status,
      response.fields.contains(.wwwAuthenticate), let target = load.currentTarget
    {
      makeOriginChallenges(target.origin)
    }
    guard let challenges = load.state.originChallenges else { return load.responsePassed() }
    challenges.examine(response)
  }

  // MARK: The proxy

  /// Adds the credentials for the proxy.
  func authorizeToProxy() {
    guard let exchange = load.prepared.exchange, case .proxy(let hop) = exchange.route.nextHop else {
      return load.requestPassed()
    }
    let (isStated, hasBody) = (exchange.statesProxyAuthorization, exchange.hasBody)
    if load.state.proxy?.hop != hop {
      load.state.proxy = LoadProxy(hop, isStated: isStated)
    } else {
      // A redirect to elsewhere takes away what the caller has stated.
      load.state.proxy?.isStated = isStated
    }
    if isStated { return load.requestPassed() }
    if load.state.proxy?.challenges == nil {
      if let known = knownCredentials(for: hop, exchange) {
        makeProxyChallenges(hop).stage.authentication.begin(with: known)
      } else if let login = hop.server.loginAtOnce {
        let challenges = makeProxyChallenges(hop)
        challenges.stage.authentication.openNTLM(with: login, isKept: true)
        // Made once more, without its content, which would only be refused.
        if hasBody {
          challenges.stage.contentIsUnread = true
          return load.prepareAndSend(load.state.request)
        }
      }
    }
    if let challenges = load.state.proxy?.challenges { return challenges.authorize() }
    // What goes out at once needs no answers to challenges.
    if let fields = hop.authorization { load.prepared.exchange?.encodedHead.add(fields) }
    load.requestPassed()
  }

  @discardableResult
  private func makeProxyChallenges(_ hop: ProxyHop) -> ChallengeDriver {
    let made = ChallengeDriver(
      of: load,
      HTTPAuthentication(
        .proxy, of: hop.place, allowing: hop.server.authentication, login: hop.server.login), through: hop)
    load.state.proxy?.challenges = made
    return made
  }

  /// The known credentials of another request for the proxy.
  private func knownCredentials(
    for hop: ProxyHop, _ request: borrowing ExchangeRequest
  ) -> AuthenticationCache.Space? {
    guard load.engine.pool.hasCredentials,
      let known = load.engine.pool.withCredentials({
        $0.space(of: hop.place, .proxy, for: "", login: hop.server.login)
      })
    else { return nil }
    if known.offer.scheme != .ntlm || !request.hasBody { return known }
    // Its first step goes without content, already in the request. Over an authenticated connection
    // there is no such step.
    guard load.state.originChallenges == nil,
      load.engine.pool.hasIdle(request.route, standingFor: known.identity(at: .proxy))
    else { return nil }
    return known
  }

  /// Reads a response's proof of the proxy's identity, or meets its challenge.
  func examineProxyChallenge(_ response: HTTPURLResponse) {
    let isChallenge = response.statusCode == AuthenticationSide.proxy.status
    guard let proxy = load.state.proxy, isChallenge || proxy.challenges != nil else {
      return load.responsePassed()
    }
    if proxy.isStated { return isChallenge ? load.run(.deliver) : load.responsePassed() }
    if proxy.challenges == nil {
      makeProxyChallenges(proxy.hop).stage.sentBasicAtOnce = proxy.hop.authorization != nil
    }
    load.state.proxy?.challenges?.examine(response)
  }
}

extension SharedAuthenticationCache {
  /// The space that a target is known to be in.
  fileprivate func space(of target: TargetURI) -> AuthenticationCache.Space? {
    withCache { $0.space(of: target.origin, .origin, for: target.path, login: nil) }
  }
}
