import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport

// As whom a load goes to servers that ask for a certificate.
extension TaskLoad {
  /// The listener is asked; without an answer of its own there is what the session knows, or nothing.
  func exchange(
    _ exchange: RequestDriver, isAskedForCertificate request: CertificateRequest,
    answer: @escaping @Sendable (TLSIdentity?) -> Void
  ) {
    guard let origin = state.request.url.flatMap({ try? TargetURI.of($0) })?.origin else {
      return answer(nil)
    }
    let space = URLProtectionSpace(origin, asking: request)
    let proposed = proposal(for: space)
    guard let listener else { return answer(proposed?.clientIdentity) }
    // The session's delegate speaks for all of its requests, a task's own one and an owner for that one.
    let isShared = ownDelegate == nil && listener === engine.listener
    if isShared, let known = engine.identity(for: origin) { return answer(known) }
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: proposed, previousFailureCount: 0, failureResponse: nil,
      error: nil, sender: nil)
    listener.executor.run { [self, task = state.task] in
      listener.task(task, didReceive: challenge) { [self] disposition, credential in
        engine.loop.execute { [self] in
          switch disposition {
          case .useCredential:
            // What is of another kind says nothing here.
            guard let credential, let identity = credential.clientIdentity else {
              return answer(proposed?.clientIdentity)
            }
            if isShared, credential.persistence != .none { engine.keep(identity, for: origin) }
            answer(identity)
          case .performDefaultHandling: answer(proposed?.clientIdentity)
          case .rejectProtectionSpace: answer(nil)
          case .cancelAuthenticationChallenge:
            stop(
              .loading(
                .userCancelledAuthentication, url: state.request.url, phase: .securing,
                reason: "the question for a client certificate was cancelled"))
          }
        }
      }
    }
  }

  /// What is sent without an answer of anybody's.
  private func proposal(for space: URLProtectionSpace) -> URLCredential? {
    let stored = engine.settings.urlCredentialStorage?.defaultCredential(for: space)
    if let stored, stored.clientIdentity != nil { return stored }
    return engine.settings.clientCredential(for: space.host)
  }

  /// The route over which a server may ask behind the handshake, when nobody can be asked any more.
  func foreseeing(_ request: consuming ExchangeRequest) -> ExchangeRequest {
    guard request.route.isSecure, request.route.certificateAnswer == nil else { return request }
    let identity = engine.settings.clientCredential(for: request.route.host)?.clientIdentity
    if let identity { request.route = request.route.answering(CertificateAnswer(identity)) }
    return request
  }
}

extension URLProtectionSpace {
  fileprivate convenience init(_ origin: WebOrigin, asking request: CertificateRequest) {
    self.init(
      host: origin.host, port: Int(origin.port), protocol: NSURLProtectionSpaceHTTPS, realm: nil,
      authenticationMethod: NSURLAuthenticationMethodClientCertificate, proxyType: nil, serverTrust: nil,
      distinguishedNames: request.authorities.map { Data($0) },
      keyTypes: request.keyTypes.map(ClientKeyType.init))
  }
}
