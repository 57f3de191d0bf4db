// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetProxies
import BluebonnetTransport

/// A proxy's challenge, in the words of URL loading: the listener is asked about one offer after the other.
struct ProxyQuestion: Sendable {
  private let load: Load
  private let challenge: ProxyChallenge
  private let response: HTTPURLResponse?

  /// - Parameter response: What it asked by.
  init(_ challenge: ProxyChallenge, _ response: HTTPURLResponse?, by load: Load) {
    (self.challenge, self.response, self.load) = (challenge, response, load)
  }

  /// Asks about one offer; about the next one where the listener does not want to hear of it.
  ///
  /// - Parameter isOpen: Whether an answer still counts; called in loop context.
  func ask(
    from index: Int = 0, isOpen: @escaping @Sendable () -> Bool,
    _ answer: @escaping @Sendable (ProxyAnswer?) -> Void
  ) {
    let storage = load.engine.settings.urlCredentialStorage
    // The session's delegate speaks for all of its requests, a task's own one and an owner for that one.
    let isOfSession = load.isHeardBySession
    guard let asked = urlChallenge(at: index, storage: storage) else { return answer(nil) }
    guard let listener = load.listener else {
      return answer(
        proxyAnswer(to: index, asked.proposedCredential, isDefault: true, isShared: true, storage))
    }
    let first = SingleAnswer()
    listener.ask(
      .challenge(asked) { [self] disposition, credential in
        guard first.take() else {
          return load.engine.loop.execute { load.reportIgnoredAnswer(to: .proxyCredential) }
        }
        switch disposition {
        case .useCredential:
          // One of the storage is for all, whoever has looked there.
          let isShared = isOfSession || credential == asked.proposedCredential
          answer(proxyAnswer(to: index, credential, isDefault: false, isShared: isShared, storage))
        case .performDefaultHandling:
          answer(proxyAnswer(to: index, asked.proposedCredential, isDefault: true, isShared: true, storage))
        case .rejectProtectionSpace:
          load.engine.loop.execute { if isOpen() { ask(from: index + 1, isOpen: isOpen, answer) } }
        case .cancelAuthenticationChallenge: load.engine.loop.execute { if isOpen() { cancelled(at: index) } }
        }
      }, of: load.state.task)
  }

  private func cancelled(at index: Int) {
    load.stop(
      .loading(
        .userCancelledAuthentication, url: load.state.request.url, phase: .tunnelling,
        reason: "the proxy's \(challenge.offers[index].scheme.name) challenge was cancelled"))
  }

  /// The challenge for an offer; nil if there are no more for the delegate.
  private func urlChallenge(at index: Int, storage: URLCredentialStorage?) -> URLAuthenticationChallenge? {
    guard let space = space(at: index) else { return nil }
    return URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: storage?.proposal(for: space),
      previousFailureCount: challenge.failures, failureResponse: response, error: nil, sender: nil)
  }

  /// - Parameters:
  ///   - isDefault: The credential was not chosen by the delegate: it is tried once.
  ///   - isShared: It was given for all of the session's requests.
  private func proxyAnswer(
    to index: Int, _ credential: URLCredential?, isDefault: Bool, isShared: Bool,
    _ storage: URLCredentialStorage?
  ) -> ProxyAnswer? {
    if isDefault, challenge.failures > 0 { return nil }
    guard let credential, let space = space(at: index),
      let login = credential.login(for: space.authenticationMethod),
      login.fits(challenge.offers[index].scheme)
    else { return nil }
    let isKept = credential.persistence != .none
    return ProxyAnswer(
      to: challenge.offers[index], with: login, isKept: isKept, isShared: isKept && isShared
    ) { storage?.set(credential, for: space) }
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
