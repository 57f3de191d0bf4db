// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport

/// A load's questions about identities: whether the server's is trusted, and which one the server is shown if it asks for a
/// certificate.
struct IdentityQuestions {
  let load: Load

  // MARK: The server's

  /// The server's certificate: the listener evaluates it, or the default verification does.
  func evaluate(
    _ trust: ServerTrust, of exchange: RequestDriver, by evaluator: AnyObject?,
    decision: @escaping @Sendable (TrustDecision) -> Void
  ) {
    guard let listener = load.listener(for: evaluator),
      let target = load.currentTarget
    else {
      return decision(.performDefault)
    }
    let peer = exchange.withMetrics { metrics in
      metrics.connection.flatMap { $0.isProxied ? nil : $0.remoteAddress }
    }
    let asked = SecTrust(trust, peer: peer, revocation: load.engine.revocation)
    // The name that the connection was made for and is pooled under.
    let space = URLProtectionSpace(
      host: trust.host, port: Int(target.origin.port), protocol: NSURLProtectionSpaceHTTPS,
      realm: nil, authenticationMethod: NSURLAuthenticationMethodServerTrust, proxyType: nil,
      serverTrust: asked, distinguishedNames: nil)
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: nil, previousFailureCount: 0,
      failureResponse: nil, error: nil, sender: nil)
    let first = SingleAnswer()
    listener.ask(
      .challenge(challenge) { [load] disposition, credential in
        guard first.take() else {
          return load.engine.loop.execute { load.reportIgnoredAnswer(to: .serverTrust) }
        }
        switch disposition {
        // Another trust was evaluated for another connection, or for none.
        case .useCredential: decision(credential?.trust === asked ? .accept : .performDefault)
        case .performDefaultHandling: decision(.performDefault)
        case .rejectProtectionSpace, .cancelAuthenticationChallenge:
          load.engine.loop.execute { rejectTrust(of: exchange, decision) }
        }
      }, of: load.state.task)
  }

  private func rejectTrust(of exchange: RequestDriver, _ decision: @Sendable (TrustDecision) -> Void) {
    // The load may have got another connection since, or gone on elsewhere: then the answer is about this connection alone.
    if load.state.source === exchange, case .loading = load.state.phase {
      load.state.ending =
        load.state.ending
        ?? .loading(
          .cancelled, url: load.state.request.url, phase: .securing,
          reason: "its delegate refused the server's certificate")
    }
    decision(.reject)
  }

  // MARK: The client's

  /// The listener is asked; without an answer of its own there is what the session knows, or nothing.
  func answer(
    _ request: CertificateRequest, of exchange: RequestDriver,
    by answer: @escaping @Sendable (TLSIdentity?) -> Void
  ) {
    guard let origin = load.currentTarget?.origin else {
      return answer(nil)
    }
    let space = URLProtectionSpace(origin, asking: request)
    let proposed = proposal(for: space)
    guard let listener = load.listener else { return answer(proposed?.clientIdentity) }
    let isShared = load.isHeardBySession
    if isShared, let known = load.engine.identity(for: origin) { return answer(known) }
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: proposed, previousFailureCount: 0, failureResponse: nil,
      error: nil, sender: nil)
    let first = SingleAnswer()
    listener.ask(
      .challenge(challenge) { [load] disposition, credential in
        load.engine.loop.execute {
          guard first.take() else { return load.reportIgnoredAnswer(to: .clientCertificate) }
          switch disposition {
          case .useCredential:
            guard let credential else { return answer(nil) }
            // A credential of another kind says nothing here.
            guard let identity = credential.clientIdentity else {
              return answer(proposed?.clientIdentity)
            }
            if isShared, credential.persistence != .none { load.engine.keep(identity, for: origin) }
            answer(identity)
          case .performDefaultHandling: answer(proposed?.clientIdentity)
          case .rejectProtectionSpace: answer(nil)
          case .cancelAuthenticationChallenge:
            // The load may have got another connection since, or gone on elsewhere.
            guard load.state.source === exchange, case .loading = load.state.phase else { return answer(nil) }
            load.stop(
              .loading(
                .userCancelledAuthentication, url: load.state.request.url, phase: .securing,
                reason: "the question for a client certificate was cancelled"))
          }
        }
      }, of: load.state.task)
  }

  /// The credential that is sent without the delegate's answer.
  private func proposal(for space: URLProtectionSpace) -> URLCredential? {
    let stored = load.engine.settings.urlCredentialStorage?.defaultCredential(for: space)
    if let stored, stored.clientIdentity != nil { return stored }
    return load.engine.settings.clientCredentialsByHost.credential(for: space.host)
  }

  /// Whether the server was told the same as by all sessions of this configuration: by a certificate it may tell
  /// clients apart.
  private func goesAsConfigured(_ exchange: RequestDriver) -> Bool {
    guard let answer = exchange.certificateAnswer else { return true }
    guard let origin = load.currentTarget?.origin else { return false }
    return answer.identity == load.engine.settings.clientCredentialsByHost.identity(for: origin.host)
  }

  /// The source of trust in the server. Another task's delegate may have accepted it, or one that the task has no longer.
  func trustSource(of exchange: RequestDriver) -> CacheExchange.TrustSource {
    guard goesAsConfigured(exchange) else { return .taskDelegate }
    guard exchange.isUnverified else { return .anchors }
    guard let evaluator = load.engine.listener?.taskDelegate else { return .taskDelegate }
    return exchange.wasTrusted(by: evaluator) ? .evaluator : .taskDelegate
  }

  /// Whether the server would be told what all sessions of this configuration would tell it, as far as that is known before it asks.
  func wouldGoAsConfigured(to origin: WebOrigin) -> Bool {
    guard origin.isSecure else { return true }
    let own = load.listener?.presentsCredential(for: load.state.task) ?? false
    guard
      own || load.engine.knowsIdentities || load.engine.settings.urlCredentialStorage?.holdsIdentities == true
    else { return true }
    let space = URLProtectionSpace(origin, asking: nil)
    let identity =
      load.listener?.credential(for: space, of: load.state.task)?.clientIdentity
      ?? (load.isHeardBySession ? load.engine.identity(for: origin) : nil)
      ?? proposal(for: space)?.clientIdentity
    return identity == load.engine.settings.clientCredentialsByHost.identity(for: origin.host)
  }

  /// The server has refused the connection, perhaps because of its identity: the delegate is asked again the next time.
  func doubt(after error: TransportError, of exchange: RequestDriver) {
    guard case .tls(let cause) = error.cause, load.engine.knowsIdentities,
      let origin = load.currentTarget?.origin,
      let kept = load.engine.identity(for: origin)
    else { return }
    // Not every server says which alert stands for a certificate that it does not like.
    var isRefused = exchange.certificateAnswer?.identity == kept
    if case .clientCertificateRejected = cause.code { isRefused = true }
    if isRefused { load.engine.keep(nil, for: origin) }
  }

  /// Has the prepared request go over a route on which a server may ask behind the handshake, too late for a question: the request's own credential counts,
  /// or else the proposed one.
  func foreseeAnswer() {
    guard let route = load.prepared.exchange?.route, route.isSecure, route.certificateAnswer == nil,
      let origin = load.currentTarget?.origin
    else { return }
    let space = URLProtectionSpace(origin, asking: nil)
    let own = load.listener?.credential(for: space, of: load.state.task)?.clientIdentity
    let identity = own ?? proposal(for: space)?.clientIdentity
    if let identity {
      load.prepared.exchange?.route = route.answering(CertificateAnswer(identity, isForeseen: true))
    }
  }
}

extension URLProtectionSpace {
  fileprivate convenience init(_ origin: WebOrigin, asking request: CertificateRequest?) {
    self.init(
      host: origin.host, port: Int(origin.port), protocol: NSURLProtectionSpaceHTTPS, realm: nil,
      authenticationMethod: NSURLAuthenticationMethodClientCertificate, proxyType: nil, serverTrust: nil,
      distinguishedNames: request?.authorities.map { Data($0) },
      keyTypes: request?.keyTypes.map(ClientKeyType.init))
  }
}
