import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTransport

// What proxies say while a tunnel is being made.
extension TaskLoad {
  func exchange(_ exchange: RequestDriver, didReceiveFromProxy head: ResponseHead) {
    guard let listener, let url = state.request.url else { return }
    let response = HTTPURLResponse(
      url: url, statusCode: head.status, minorVersion: head.minorVersion, fields: head.fields)
    listener.executor.run { [task = state.task] in listener.task(task, didReceiveFromProxy: response) }
  }

  func exchange(
    _ exchange: RequestDriver, isAskedBy challenge: ProxyChallenge, in head: ResponseHead,
    answer: @escaping @Sendable (ProxyAnswer?) -> Void
  ) {
    let response = state.request.url.map { url in
      HTTPURLResponse(
        url: url, statusCode: head.status, minorVersion: head.minorVersion, fields: head.fields)
    }
    // The tunnel may have failed by the time of the answer, and the load be over or elsewhere.
    ask(
      ProxyQuestion(challenge, response), from: 0,
      isOpen: { [self] in state.source === exchange && !state.isOver }, answer)
  }

  /// Asks about one offer; about the next one where the listener does not want to hear of it.
  ///
  /// - Parameter isOpen: Whether an answer still counts; called in loop context.
  func ask(
    _ question: ProxyQuestion, from index: Int, isOpen: @escaping @Sendable () -> Bool,
    _ answer: @escaping @Sendable (ProxyAnswer?) -> Void
  ) {
    let storage = engine.settings.urlCredentialStorage
    guard let asked = question.challenge(at: index, storage: storage) else { return answer(nil) }
    guard let listener else {
      return answer(question.answer(to: index, asked.proposedCredential, isDefault: true, storage))
    }
    let first = SingleAnswer()
    listener.executor.run { [self, task = state.task] in
      listener.task(task, didReceive: asked) { [self] disposition, credential in
        guard first.take() else {
          return engine.loop.execute { [self] in reportIgnoredAnswer(to: .proxyCredential) }
        }
        switch disposition {
        case .useCredential: answer(question.answer(to: index, credential, isDefault: false, storage))
        case .performDefaultHandling:
          answer(question.answer(to: index, asked.proposedCredential, isDefault: true, storage))
        case .rejectProtectionSpace:
          engine.loop.execute { [self] in
            if isOpen() { ask(question, from: index + 1, isOpen: isOpen, answer) }
          }
        case .cancelAuthenticationChallenge:
          engine.loop.execute { [self] in
            guard isOpen() else { return }
            stop(
              .loading(
                .userCancelledAuthentication, url: state.request.url, phase: .tunnelling,
                reason: "the proxy's \(question.schemeName(at: index)) challenge was cancelled"))
          }
        }
      }
    }
  }
}

/// A proxy's challenge, in the words of URL loading.
struct ProxyQuestion: Sendable {
  private let challenge: ProxyChallenge
  private let response: HTTPURLResponse?

  /// - Parameter response: What it asked by.
  init(_ challenge: ProxyChallenge, _ response: HTTPURLResponse?) {
    (self.challenge, self.response) = (challenge, response)
  }

  func schemeName(at index: Int) -> String { challenge.offers[index].scheme.name }

  /// The challenge for an offer; nil if there are no more for the delegate.
  func challenge(at index: Int, storage: URLCredentialStorage?) -> URLAuthenticationChallenge? {
    guard let space = space(at: index) else { return nil }
    return URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: storage?.proposal(for: space),
      previousFailureCount: challenge.failures, failureResponse: response, error: nil, sender: nil)
  }

  /// - Parameter isDefault: The credential was not chosen by the delegate: it is tried once.
  func answer(
    to index: Int, _ credential: URLCredential?, isDefault: Bool, _ storage: URLCredentialStorage?
  ) -> ProxyAnswer? {
    if isDefault, challenge.failures > 0 { return nil }
    guard let credential, let space = space(at: index),
      let login = credential.login(for: space.authenticationMethod),
      login.fits(challenge.offers[index].scheme)
    else { return nil }
    storage?.set(credential, for: space)
    return ProxyAnswer(
      to: challenge.offers[index], with: login, isKept: credential.persistence != .none)
  }

  private func space(at index: Int) -> URLProtectionSpace? {
    guard challenge.offers.indices.contains(index), let method = challenge.offers[index].scheme.method else {
      return nil
    }
    return URLProtectionSpace(
      proxyHost: challenge.server.host, port: Int(challenge.server.port),
      type: challenge.server.scheme == .https
        ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy,
      realm: challenge.offers[index].realm, authenticationMethod: method)
  }
}
