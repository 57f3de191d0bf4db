import BluebonnetURLLoading
import Synchronization
import Testing

@testable import Bluebonnet

@Suite struct AuthenticationInterceptorTests {
  struct Token: AuthenticationCredential, Sendable, Equatable {
    var value: String
    var requiresRefresh = false
  }

  final class TokenAuthenticator: Authenticator {
    let refreshes = Recorder<String>()

    func apply(_ credential: Token, to urlRequest: inout URLRequest) {
      urlRequest.setValue(credential.value, forHTTPHeaderField: "Authorization")
    }

    func refresh(
      _ credential: Token, for session: Session,
      completion: @escaping @Sendable (Result<Token, any Error>) -> Void
    ) {
      refreshes.note(credential.value)
      completion(.success(Token(value: "fresh")))
    }

    func didRequest(
      _ urlRequest: URLRequest, with response: HTTPURLResponse,
      failDueToAuthenticationError error: any Error
    ) -> Bool {
      response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
      urlRequest.value(forHTTPHeaderField: "Authorization") == credential.value
    }
  }

  private func session(
    _ interceptor: AuthenticationInterceptor<TokenAuthenticator>
  ) -> ScriptedSession {
    ScriptedSession(interceptor: interceptor) { _, task in
      let token = task.originalRequest?.value(forHTTPHeaderField: "Authorization")
      return token == "fresh" ? .reply(body: ["in"]) : .reply(status: 401)
    }
  }

  @Test func aRefusedCredentialIsRefreshedAndTheRequestRepeated() async {
    let authenticator = TokenAuthenticator()
    let interceptor = AuthenticationInterceptor(
      authenticator: authenticator, credential: Token(value: "stale"))
    let scripted = session(interceptor)
    let requests = (0..<4).map { _ in scripted.session.request("http://host.test/").validate() }
    let tasks = requests.map { $0.serializingString() }
    for task in tasks { #expect(await task.result.success == "in") }
    #expect(authenticator.refreshes.entries == ["stale"])
    #expect(interceptor.credential == Token(value: "fresh"))
  }

  @Test func anOldCredentialIsRefreshedBeforeItIsSent() async {
    let authenticator = TokenAuthenticator()
    let interceptor = AuthenticationInterceptor(
      authenticator: authenticator, credential: Token(value: "stale", requiresRefresh: true))
    let scripted = session(interceptor)
    let request = scripted.session.request("http://host.test/").validate()
    #expect(await request.serializingString().result.success == "in")
    #expect(scripted.engine.started.count == 1)
    #expect(authenticator.refreshes.entries == ["stale"])
  }

  /// Gives credentials that want to be refreshed at once, for ever or as often as it is told.
  final class TirelessAuthenticator: Authenticator {
    let refreshes = Recorder<String>()
    let enough: Int

    init(enough: Int) { self.enough = enough }

    func apply(_ credential: Token, to urlRequest: inout URLRequest) {
      urlRequest.setValue(credential.value, forHTTPHeaderField: "Authorization")
    }

    func refresh(
      _ credential: Token, for session: Session,
      completion: @escaping @Sendable (Result<Token, any Error>) -> Void
    ) {
      refreshes.note(credential.value)
      let count = refreshes.entries.count
      completion(.success(Token(value: "\(count)", requiresRefresh: count < enough)))
    }

    func didRequest(
      _ urlRequest: URLRequest, with response: HTTPURLResponse,
      failDueToAuthenticationError error: any Error
    ) -> Bool { false }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool { true }
  }

  @Test func aRefreshedCredentialIsLookedAtAgain() async {
    let authenticator = TirelessAuthenticator(enough: 3)
    let scripted = ScriptedSession(
      interceptor: AuthenticationInterceptor(
        authenticator: authenticator, credential: Token(value: "0", requiresRefresh: true)))
    let requests = (0..<3).map { _ in scripted.session.request("http://host.test/") }
    for task in requests.map({ $0.serializingString() }) { #expect(await task.result.success == "body") }
    #expect(authenticator.refreshes.entries == ["0", "1", "2"])
    #expect(requests.allSatisfy { $0.request?.value(forHTTPHeaderField: "Authorization") == "3" })
  }

  @Test func refreshesThatHelpNothingComeToAnEnd() async {
    let authenticator = TirelessAuthenticator(enough: .max)
    let scripted = ScriptedSession(
      interceptor: AuthenticationInterceptor(
        authenticator: authenticator, credential: Token(value: "0", requiresRefresh: true),
        refreshWindow: .init(interval: 3600, maximumAttempts: 5)))
    let error = await scripted.session.request("http://host.test/").serializingString().response.error
    #expect(error?.isRequestAdaptationError == true)
    #expect(error?.underlyingError as? AuthenticationError == .excessiveRefresh)
    #expect(authenticator.refreshes.entries.count == 5)
    #expect(scripted.engine.started.isEmpty)
  }

  @Test func withoutACredentialTheRequestFails() async {
    let interceptor = AuthenticationInterceptor(authenticator: TokenAuthenticator())
    let scripted = session(interceptor)
    let error = await scripted.session.request("http://host.test/").serializingString().response.error
    #expect(error?.isRequestAdaptationError == true)
    #expect(error?.underlyingError as? AuthenticationError == .missingCredential)
  }
}
