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

  @Test func withoutACredentialTheRequestFails() async {
    let interceptor = AuthenticationInterceptor(authenticator: TokenAuthenticator())
    let scripted = session(interceptor)
    let error = await scripted.session.request("http://host.test/").serializingString().response.error
    #expect(error?.isRequestAdaptationError == true)
    #expect(error?.underlyingError as? AuthenticationError == .missingCredential)
  }
}
