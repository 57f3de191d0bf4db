// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTransport

/// Takes one load through the challenges of one side: its origin (RFC 9110 §11.6), or the HTTP proxy that its request goes to by the
/// absolute form (§11.7). Loads that are never asked have none.
///
///     authorize ─▶ hash the content? ─▶ prove ─▶ the request goes on, with a field of credentials or without
///        ▲                                          │
///        └──── resend ◀── open a ticket? ◀── ask? ◀─┴─ received
///
/// What is to be said and what a response means is up to its `ChallengeStage`. Touched only while the loop is held.
final class ChallengeDriver {
  unowned let load: Load
  var stage: ChallengeStage
  /// The proxy; nil for the origin.
  let hop: ProxyHop?
  /// The cache for this load alone, because its credential is not to be kept; nil where the session's is used.
  var ownCache: SharedAuthenticationCache?
  /// The connection that the steps are bound to.
  private var lease: ConnectionLease?
  /// Stores the answer, once it has been accepted.
  var whenAccepted: (@Sendable () -> Void)?

  init(of load: Load, _ authentication: HTTPAuthentication, through hop: ProxyHop? = nil) {
    self.load = load
    self.hop = hop
    stage = ChallengeStage(authentication)
  }

  var side: AuthenticationSide { stage.side }
  private var engine: SessionEngine { load.engine }

  /// The driver of the other side's challenges, if there is one.
  weak var others: ChallengeDriver?

  /// Lets the stage look into the cache of known credentials and add to it.
  func withCache<Result, Failure: Error>(
    _ body: (inout AuthenticationCache) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let ownCache { return try ownCache.withCache(body) }
    return try engine.pool.withCredentials(body)
  }

  /// The load has to do with this side no more. An answer that the caller keeps may keep this driver, but not its connection.
  func leave() {
    lease = nil
    others?.others = nil
    others = nil
  }

  // MARK: On the way out

  /// Adds the credentials for this side to the prepared request, and lets it pass.
  func authorize() {
    if stage.isBound, lease?.isOpen != true {
      do throws(AuthenticationFault) {
        try stage.connectionLost()
      } catch {
        return load.finish(.authentication(error, at: load.state.request.url))
      }
    }
    let hasBody = load.prepared.exchange?.hasBody == true
    // The other side may have it held back, too.
    if load.hasContent, !hasBody { stage.contentIsUnread = true }
    overAuthenticatedConnection()
    if side == .origin, preparesAgain() { return }
    guard let body = load.prepared.exchange?.body, side == .origin,
      let function = stage.authentication.contentHash, case .source = body
    else {
      let isHeldBack = load.hasContent && stage.authentication.withholdsContent
      return prove(hasBody || isHeldBack ? .unknown(unhashed) : .none)
    }
    ContentHasher(
      task: load.state.task, loop: engine.loop, descriptors: engine.descriptorWait(for: load.state.task)
    ).hash(body, by: function) { [load, challenges = LoopConfined(self)] content in
      if !load.state.isOver { challenges.value.prove(content) }
    }
  }

  private var unhashed: String {
    side == .origin ? "its content has not been hashed" : "the content of requests to proxies is not hashed"
  }

  /// Has a request go over a connection that is authenticated already with its identity, if there is one, if nothing of it is held
  /// back, and if the other side has no identity of its own.
  private func overAuthenticatedConnection() {
    let isWhole = !(load.hasContent && stage.contentIsUnread)
    guard others == nil, isWhole, !stage.isBound, ownCache == nil,
      let identity = stage.authentication.wantedIdentity, let route = load.prepared.exchange?.route,
      engine.pool.hasIdle(route, standingFor: identity)
    else { return stage.authentication.useAuthenticatedConnection(false) }
    stage.authentication.useAuthenticatedConnection(true)
    load.prepared.exchange?.route = route.standing(for: identity)
  }

  /// Makes the request once more, where its wire form is not the one that goes with the credentials: it states others, or has content
  /// that is to be held back.
  private func preparesAgain() -> Bool {
    let hidesContent = stage.authentication.withholdsContent && load.prepared.exchange?.hasBody == true
    guard hidesContent || stage.authentication.hasAnswer && !load.state.credentials.isProved else {
      return false
    }
    load.state.credentials.proved = stage.authentication.identity
    if hidesContent { stage.contentIsUnread = true }
    guard
      hidesContent || engine.requestBuilder.statesAuthorization(load.state.request, load.state.credentials)
        || load.state.credentials.authorization != nil
    else { return false }
    load.prepareAndSend(load.state.request)
    return true
  }

  private func prove(_ content: AuthenticatedRequest.Content) {
    let facts = AuthenticatedRequest(
      method: load.state.request.httpMethod ?? "GET", target: provenTarget, content: content)
    do throws(AuthenticationFault) {
      let proof = try withCache { cache throws(AuthenticationFault) in
        try stage.authentication.proof(for: facts, cache: &cache)
      }
      switch proof {
      case .none: load.requestPassed()
      case .field(let value): add(value)
      case .later(let work):
        // A Kerberos server may be asked, which takes as long as it takes.
        DispatchQueue.global().async { [load, challenges = LoopConfined(self)] in
          let result = work()
          load.engine.loop.execute { if !load.state.isOver { challenges.value.made(result, content) } }
        }
      }
    } catch {
      load.finish(.authentication(error, at: load.state.request.url))
    }
  }

  /// The target that a Digest answer speaks of (RFC 7616 §3.4.6).
  private var provenTarget: String {
    guard let target = load.currentTarget else { return "" }
    return side == .origin || hop?.server.provesPath == true
      ? load.originForm(of: target) : target.absoluteForm
  }

  private func made(
    _ result: Result<FieldValue, AuthenticationFault>, _ content: AuthenticatedRequest.Content
  ) {
    do throws(AuthenticationFault) {
      guard let value = try stage.authentication.made(result) else { return prove(content) }
      add(value)
    } catch {
      load.finish(.authentication(error, at: load.state.request.url))
    }
  }

  private func add(_ credentials: FieldValue) {
    do throws(HTTP1Error) {
      load.prepared.exchange?.encodedHead.add(try EncodedFields(side.credentialsFieldName, credentials))
    } catch {
      return load.finish(engine.requestBuilder.refusal(of: load.state.request, error))
    }
    load.requestPassed()
  }

  // MARK: On the way back

  /// Reads a response's proof of the side's identity, or meets its challenge.
  func examine(_ response: HTTPURLResponse) {
    let action = withCache { cache in load.state.machine.examine(&stage, &cache) }
    switch action {
    case .askForCredential(let question, let offer):
      whenAccepted = nil
      if let hop { askAboutProxy(hop, question) } else { ask(question, about: offer) }
    // The ticket for a proxy is looked for when the next request goes out.
    case .passOver(.resend) where side == .origin: open()
    case .passOver(.resend), .fail: load.run(action)
    default:
      if response.statusCode != side.status { accepted() }
      load.run(action)
    }
  }

  /// The credentials have opened the space: they are stored, as far as the caller wants that, and other requests of the same identity
  /// may use the connection, if it has no other identity as well.
  private func accepted() {
    whenAccepted.take()?()
    if ownCache == nil, others?.stage.authentication.isBoundToConnection != true {
      lease?.identity = stage.authentication.proved
    }
  }

  /// Sends the request once more, with other credentials.
  func resend() {
    load.state.answersChallenge = !stage.isBound
    if side == .origin { load.state.credentials.proved = stage.authentication.identity }
    let status = load.state.response?.statusCode
    load.state.response = nil
    if stage.sendsAgain(), case .source(let source) = load.state.body, !source.rewind() {
      return BodyRenewal(load: load).replace(source, of: load.state.request, after: status)
    }
    load.prepareAndSend(load.state.request)
  }

  // MARK: The connection

  /// The connection that the next request has to go over; nil for any.
  var boundConnection: ConnectionLease? { stage.isBound ? lease : nil }

  /// Keeps the connection that the steps are bound to.
  func keepConnection(of exchange: RequestDriver) {
    guard stage.authentication.isBoundToConnection else { return }
    let kept = exchange.leaseConnection()
    kept.isExclusive = true
    kept.identity = nil
    lease = kept
  }

  /// The response has ended.
  func letGoOfConnection() {
    if lease?.identity != nil { lease.take()?.giveBack() }
  }
}

extension ExchangeRequest {
  var hasBody: Bool { if case .none = body { false } else { true } }
}
