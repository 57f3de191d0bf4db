import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport

// A load's identity at servers that ask for a certificate.
extension TaskLoad {
  /// The listener is asked; without an answer of its own there is what the session knows, or nothing.
  func exchange(
    _ exchange: RequestDriver, isAskedForCertificate request: CertificateRequest,
    answer: @escaping @Sendable (TLSIdentity?) -> Void
  ) {
    guard let origin = currentTarget?.origin else {
      return answer(nil)
    }
    let space = URLProtectionSpace(origin, asking: request)
    let proposed = proposal(for: space)
    guard let listener else { return answer(proposed?.clientIdentity) }
    let isShared = isSessions(listener)
    if isShared, let known = engine.identity(for: origin) { return answer(known) }
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: proposed, previousFailureCount: 0, failureResponse: nil,
      error: nil, sender: nil)
    let first = SingleAnswer()
    listener.executor.run { [self, task = state.task] in
      listener.task(task, didReceive: challenge) { [self] disposition, credential in
        engine.loop.execute { [self] in
          guard first.take() else { return reportIgnoredAnswer(to: .clientCertificate) }
          switch disposition {
          case .useCredential:
            guard let credential else { return answer(nil) }
            // A credential of another kind says nothing here.
            guard let identity = credential.clientIdentity else {
              return answer(proposed?.clientIdentity)
            }
            if isShared, credential.persistence != .none { engine.keep(identity, for: origin) }
            answer(identity)
          case .performDefaultHandling: answer(proposed?.clientIdentity)
          case .rejectProtectionSpace: answer(nil)
          case .cancelAuthenticationChallenge:
            // The load may have got another connection since, or gone on elsewhere.
            guard state.source === exchange, case .loading = state.phase else { return answer(nil) }
            stop(
              .loading(
                .userCancelledAuthentication, url: state.request.url, phase: .securing,
                reason: "the question for a client certificate was cancelled"))
          }
        }
      }
    }
  }

  /// The session's delegate speaks for all of its requests, a task's own one and an owner for that one.
  private func isSessions(_ listener: (any TaskListener)?) -> Bool {
    ownDelegate == nil && listener === engine.listener
  }

  /// The credential that is sent without the delegate's answer.
  private func proposal(for space: URLProtectionSpace) -> URLCredential? {
    let stored = engine.settings.urlCredentialStorage?.defaultCredential(for: space)
    if let stored, stored.clientIdentity != nil { return stored }
    return engine.settings.clientCredentialsByHost.credential(for: space.host)
  }

  /// Whether the server was told the same as by all sessions of this configuration: by a certificate it may tell
  /// clients apart.
  func goesAsConfigured(_ exchange: RequestDriver) -> Bool {
    guard let answer = exchange.certificateAnswer else { return true }
    guard let origin = currentTarget?.origin else { return false }
    return answer.identity == engine.settings.clientCredentialsByHost.identity(for: origin.host)
  }

  /// Whether the server would be told what all sessions of this configuration would tell it, as far as that is known before it asks.
  func wouldGoAsConfigured(to origin: WebOrigin) -> Bool {
    guard origin.isSecure else { return true }
    let own = listener?.presentsCredential(for: state.task) ?? false
    guard own || engine.knowsIdentities || engine.settings.urlCredentialStorage?.holdsIdentities == true
    else { return true }
    let space = URLProtectionSpace(origin, asking: nil)
    let identity =
      listener?.credential(for: space, of: state.task)?.clientIdentity
      ?? (isSessions(listener) ? engine.identity(for: origin) : nil) ?? proposal(for: space)?.clientIdentity
    return identity == engine.settings.clientCredentialsByHost.identity(for: origin.host)
  }

  /// The server has refused the connection, perhaps because of its identity: the delegate is asked again the next time.
  func doubtIdentity(after error: TransportError, of exchange: RequestDriver) {
    guard case .tls(let cause) = error.cause, engine.knowsIdentities,
      let origin = currentTarget?.origin,
      let kept = engine.identity(for: origin)
    else { return }
    // Not every server says which alert stands for a certificate that it does not like.
    var isRefused = exchange.certificateAnswer?.identity == kept
    if case .clientCertificateRejected = cause.code { isRefused = true }
    if isRefused { engine.keep(nil, for: origin) }
  }

  /// The route over which a server may ask behind the handshake, too late for a question: the request's own credential counts,
  /// or else the proposed one.
  func foreseeing(_ request: consuming ExchangeRequest) -> ExchangeRequest {
    guard request.route.isSecure, request.route.certificateAnswer == nil, let origin = currentTarget?.origin
    else { return request }
    let space = URLProtectionSpace(origin, asking: nil)
    let own = listener?.credential(for: space, of: state.task)?.clientIdentity
    let identity = own ?? proposal(for: space)?.clientIdentity
    if let identity { request.route = request.route.answering(CertificateAnswer(identity, isForeseen: true)) }
    return request
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
