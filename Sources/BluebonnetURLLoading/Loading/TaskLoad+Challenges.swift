import BluebonnetFoundation
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
      let target = state.request.url.flatMap({ try? TargetURI.of($0) })
    else {
      return decision(.performDefault)
    }
    let asked = SecTrust(trust)
    // The name that the connection was made for, which is the one that it is pooled under.
    let space = URLProtectionSpace(
      host: trust.host, port: Int(target.origin.port), protocol: NSURLProtectionSpaceHTTPS,
      realm: nil, authenticationMethod: NSURLAuthenticationMethodServerTrust, proxyType: nil,
      serverTrust: asked, distinguishedNames: nil)
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: nil, previousFailureCount: 0,
      failureResponse: nil, error: nil, sender: nil)
    listener.executor.run { [self, task = state.task] in
      listener.task(task, didReceive: challenge) { [self] disposition, credential in
        switch disposition {
        // Another trust was evaluated for another connection, or for none.
        case .useCredential: decision(credential?.trust === asked ? .accept : .performDefault)
        case .performDefaultHandling: decision(.performDefault)
        case .rejectProtectionSpace, .cancelAuthenticationChallenge:
          engine.loop.execute { [self] in rejectTrust(decision) }
        }
      }
    }
  }

  private func rejectTrust(_ decision: @Sendable (TrustDecision) -> Void) {
    state.ending =
      state.ending
      ?? .loading(
        .cancelled, url: state.request.url, phase: .securing,
        reason: "its delegate refused the server's certificate")
    decision(.reject)
  }

  /// The challenge of a 401 that this load can answer (RFC 9110 §11.6.1).
  func challenge(in response: HTTPURLResponse) -> URLAuthenticationChallenge? {
    guard response.statusCode == 401, let url = state.request.url, listener != nil,
      let field = response.value(forHTTPHeaderField: "WWW-Authenticate")
    else { return nil }
    return URLAuthenticationChallenge.basic(
      in: field, url: url, response: response, previousFailureCount: state.challenges,
      storage: engine.settings.urlCredentialStorage)
      ?? .unsupported(in: field, url: url, response: response, previousFailureCount: state.challenges)
  }

  /// - Parameter bodyLength: That of the challenge's response, which is the answer where nobody meets it.
  func decide(
    on challenge: URLAuthenticationChallenge, _ response: HTTPURLResponse, bodyLength: Int?
  ) {
    guard let listener else { return accept(response, bodyLength: bodyLength) }
    state.phase = .deciding
    listener.executor.run { [self, task = state.task] in
      listener.task(task, didReceive: challenge) { [self] disposition, credential in
        engine.loop.execute { [self] in
          answered(challenge, disposition, credential, response, bodyLength: bodyLength)
        }
      }
    }
    if case .deciding = state.phase { hold(.decision) }
  }

  private func answered(
    _ challenge: URLAuthenticationChallenge, _ disposition: URLSession.AuthChallengeDisposition,
    _ credential: URLCredential?, _ response: HTTPURLResponse, bodyLength: Int?
  ) {
    guard case .deciding = state.phase else { return }
    // By default a stored credential is tried once.
    let chosen =
      switch disposition {
      case .useCredential: credential
      case .performDefaultHandling where state.challenges == 0: challenge.proposedCredential
      case .performDefaultHandling, .rejectProtectionSpace, .cancelAuthenticationChallenge:
        nil as URLCredential?
      }
    if case .cancelAuthenticationChallenge = disposition {
      return stop(
        .loading(
          .userCancelledAuthentication, url: state.request.url, phase: .waiting,
          reason: "the \(challenge.schemeName) challenge was cancelled"))
    }
    let method = challenge.protectionSpace.authenticationMethod
    if let chosen, chosen.user != nil, method != NSURLAuthenticationMethodHTTPBasic {
      state.task.setResponse(response)
      return stop(.unanswerable(challenge, at: state.request.url))
    }
    guard let chosen, let field = chosen.basicAuthorization else {
      accept(response, bodyLength: bodyLength)
      return releaseDecision()
    }
    state.challenges += 1
    engine.settings.urlCredentialStorage?.set(chosen, for: challenge.protectionSpace)
    var next = state.request
    next.setValue(field, forHTTPHeaderField: "Authorization")
    discard(thenSend: next)
  }
}
