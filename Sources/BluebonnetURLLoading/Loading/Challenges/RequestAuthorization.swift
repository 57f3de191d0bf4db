// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// Finds the credentials that a load's request goes out with before it is challenged, and the `ChallengeDriver` for the challenge
/// that a response makes. Touched only while the loop is held.
final class RequestAuthorization {
  private unowned let load: Load
  /// The challenges of this origin.
  private var origin: ChallengeDriver? {
    didSet { if origin !== oldValue { oldValue?.leave() } }
  }
  /// The dealings with the proxy that the request itself goes to.
  private var proxy: LoadProxy? {
    didSet { if proxy?.challenges !== oldValue?.challenges { oldValue?.challenges?.leave() } }
  }

  init(of load: Load) { self.load = load }

  /// Those of a side, if there are any.
  subscript(side: AuthenticationSide) -> ChallengeDriver? { side == .origin ? origin : proxy?.challenges }

  /// Whether a side's next request only opens an exchange of several steps: its content waits for the last.
  var withholdsContent: Bool {
    origin?.stage.authentication.withholdsContent == true
      || proxy?.challenges?.stage.authentication.withholdsContent == true
  }

  // MARK: The connection

  /// The connection that the next request has to go over; nil for any.
  var boundConnection: ConnectionLease? { origin?.boundConnection ?? proxy?.challenges?.boundConnection }

  /// Keeps the connection that a side's steps are bound to.
  func keepConnection(of exchange: RequestDriver) {
    origin?.keepConnection(of: exchange)
    proxy?.challenges?.keepConnection(of: exchange)
  }

  /// The response has ended.
  func letGoOfConnections() {
    origin?.letGoOfConnection()
    proxy?.challenges?.letGoOfConnection()
  }

  // MARK: Leaving

  /// The next request goes to another origin.
  func leaveOrigin() { origin = nil }

  /// The next request is prepared: the proxy's challenge, and the connection to it, are of no use where a redirect leads past it.
  func leaveUnusedProxy() { if proxy != nil, !load.goesToProxy { proxy = nil } }

  /// The load has ended. With it goes the connection that it has been bound to.
  func leave() { (origin, proxy) = (nil, nil) }

  // MARK: The origin

  /// Adds the credentials for the origin.
  func authorizeToOrigin() {
    if let known = origin, let target = load.currentTarget, !known.stage.isFor(target.origin) { origin = nil }
    if origin != nil || load.mayKnowCredentials {
      foreseeChallenge()
      if let challenges = origin { return challenges.authorize() }
    }
    load.requestPassed()
  }

  /// Begins to authenticate to the origin before a challenge, where one is known to come.
  private func foreseeChallenge() {
    guard origin?.stage.authentication.hasAnswer != true, let target = load.currentTarget else { return }
    takeKnown(for: target)
    guard origin == nil, let rawOptions = load.state.request.rawOptions,
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
  private func makeOriginChallenges(_ place: WebOrigin) -> ChallengeDriver {
    let made = ChallengeDriver(
      of: load, HTTPAuthentication(.origin, of: place, allowing: load.engine.settings.allowedSchemes))
    origin = made
    made.others = self[.proxy]
    self[.proxy]?.others = made
    return made
  }

  /// Takes the cached credentials of another request, where there are no others.
  private func takeKnown(for target: TargetURI) {
    if let challenges = origin {
      let known = challenges.ownCache.flatMap { space(of: target, in: $0) } ?? known(for: target)
      if let known { challenges.stage.authentication.begin(with: known) }
      return
    }
    guard !load.engine.requestBuilder.statesAuthorization(load.state.request, load.state.credentials),
      !load.state.request.isTrace
    else { return }
    if let proofs = load.state.request.rawOptions?.authenticationCache,
      let known = space(of: target, in: proofs)
    {
      let challenges = makeOriginChallenges(target.origin)
      challenges.ownCache = proofs
      return challenges.stage.authentication.begin(with: known)
    }
    guard let known = known(for: target) else { return }
    // Those are sent anyway.
    if load.state.credentials.authorization != nil, known.offer.scheme == .basic { return }
    makeOriginChallenges(target.origin).stage.authentication.begin(with: known)
  }

  /// The space that a target is known to be in, by a cache of the load's own or of several requests.
  private func space(of target: TargetURI, in cache: SharedAuthenticationCache) -> AuthenticationCache.Space?
  {
    cache.withCache { $0.space(of: target.origin, .origin, for: load.originForm(of: target), login: nil) }
  }

  /// The known space of a target: by the credential of the URL or of the task's owner, or else by one
  /// that is in the storage still. In a session without a storage, by one that its delegate has given for the session.
  private func known(for target: TargetURI) -> AuthenticationCache.Space? {
    func space(login: Login?, isShared: Bool = false) -> AuthenticationCache.Space? {
      load.engine.pool.withCredentials {
        $0.space(
          of: target.origin, .origin, for: load.originForm(of: target), login: login, isShared: isShared)
      }
    }
    // Most places are not known at all.
    if space(login: nil) == nil { return nil }
    let own =
      load.state.credentials.credential
      ?? load.listener?.credential(
        for: URLProtectionSpace(target.origin, realm: nil, method: nil), of: load.state.task)
    let login = own.flatMap { $0.login(for: NSURLAuthenticationMethodDefault) }
    // A certificate is no login, and no other request's stands in for it.
    if own != nil, login == nil { return nil }
    let storage = load.engine.settings.urlCredentialStorage
    guard let known = space(login: login, isShared: own == nil && storage == nil) else { return nil }
    guard own == nil, let storage else { return known }
    guard let space = URLProtectionSpace(target.origin, known.offer), storage.holds(known.login, for: space)
    else { return nil }
    return known
  }

  /// Reads a response's proof of the origin's identity, or meets its challenge.
  func examineOriginChallenge(_ response: HTTPURLResponse) {
    if origin == nil, response.statusCode == AuthenticationSide.origin.status,
      response.fields.contains(.wwwAuthenticate), let target = load.currentTarget
    {
      makeOriginChallenges(target.origin)
    }
    guard let challenges = origin else { return load.responsePassed() }
    challenges.examine(response)
  }

  // MARK: The proxy

  /// Whether there is something to be said to the proxy of a load's prepared request before it asks.
  static func isNeeded(atProxyOf load: Load) -> Bool {
    guard case .proxy(let hop)? = load.prepared.exchange?.route.nextHop else { return false }
    return hop.authorization != nil || hop.server.loginAtOnce != nil || load.engine.pool.hasCredentials
      || load.prepared.exchange?.statesProxyAuthorization == true
  }

  /// Adds the credentials for the proxy.
  func authorizeToProxy() {
    guard let exchange = load.prepared.exchange, case .proxy(let hop) = exchange.route.nextHop else {
      return load.requestPassed()
    }
    let isStated = exchange.statesProxyAuthorization || hop.server.statesAuthorization
    let hasBody = exchange.hasBody
    if proxy?.hop != hop {
      proxy = LoadProxy(hop, isStated: isStated)
    } else {
      // A redirect to elsewhere takes away what the caller has stated.
      proxy?.isStated = isStated
    }
    if isStated { return load.requestPassed() }
    if proxy?.challenges == nil {
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
    if let challenges = proxy?.challenges { return challenges.authorize() }
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
    proxy?.challenges = made
    made.others = origin
    origin?.others = made
    return made
  }

  /// The known credentials of another request for the proxy.
  private func knownCredentials(
    for hop: ProxyHop, _ request: borrowing ExchangeRequest
  ) -> AuthenticationCache.Space? {
    guard load.engine.pool.hasCredentials,
      let known = load.engine.pool.withCredentials({ hop.knownSpace(in: $0) })
    else { return nil }
    if known.offer.scheme != .ntlm || !request.hasBody { return known }
    // Its first step goes without content, already in the request. Over an authenticated connection
    // there is no such step.
    guard origin == nil,
      load.engine.pool.hasIdle(request.route, standingFor: known.identity(at: .proxy))
    else { return nil }
    return known
  }

  /// Reads a response's proof of the proxy's identity, or meets its challenge.
  func examineProxyChallenge(_ response: HTTPURLResponse) {
    let isChallenge = response.statusCode == AuthenticationSide.proxy.status
    // Nothing was said to it before.
    if isChallenge, proxy == nil,
      case .proxy(let hop)? = (load.state.source as? RequestDriver)?.request.route.nextHop
    {
      proxy = LoadProxy(hop, isStated: hop.server.statesAuthorization)
    }
    guard let proxy, isChallenge || proxy.challenges != nil else { return load.responsePassed() }
    if proxy.isStated { return isChallenge ? load.run(.deliver) : load.responsePassed() }
    let challenges = proxy.challenges ?? makeProxyChallenges(proxy.hop)
    if proxy.challenges == nil { challenges.stage.sentBasicAtOnce = proxy.hop.authorization != nil }
    challenges.examine(response)
  }
}

/// The HTTP proxy that a load's request goes to by the absolute form.
private struct LoadProxy {
  let hop: ProxyHop
  /// Whether the caller's own field has credentials: nothing is added to it, and there is no challenge to the delegate.
  var isStated: Bool
  /// Once it has asked, or is known to.
  var challenges: ChallengeDriver?

  init(_ hop: ProxyHop, isStated: Bool) {
    (self.hop, self.isStated) = (hop, isStated)
  }
}

extension Load {
  /// The target of the request line. The caller's own spelling counts where there is one, since servers compare a Digest answer
  /// with it (RFC 7616 §3.4.6).
  func originForm(of target: TargetURI) -> String {
    guard let stated = state.request.requestTarget, stated.utf8.first == UInt8(ascii: "/") || stated == "*"
    else { return target.path }
    return stated
  }
}
