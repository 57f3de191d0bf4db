// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
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
    #expect(
      error?.localizedDescription == """
        An adapter refused the request: the credential was refreshed more often than the refresh window allows.
        """)
    #expect(authenticator.refreshes.entries.count == 5)
    #expect(scripted.engine.started.isEmpty)
  }

  @Test func withoutACredentialTheRequestFails() async {
    let interceptor = AuthenticationInterceptor(authenticator: TokenAuthenticator())
    let scripted = session(interceptor)
    let error = await scripted.session.request("http://host.test/").serializingString().response.error
    #expect(error?.isRequestAdaptationError == true)
    #expect(error?.underlyingError as? AuthenticationError == .missingCredential)
    #expect(
      error?.localizedDescription
        == "An adapter refused the request: the authentication interceptor has no credential.")
  }

  /// A credential that does something whenever it is asked.
  struct AskedToken: AuthenticationCredential, Sendable {
    let value: String
    let ask: @Sendable () -> Bool
    var word: LastWord?
    var requiresRefresh: Bool { ask() }
  }

  final class AskedAuthenticator: Authenticator {
    let refreshes = Recorder<String>()

    func apply(_ credential: AskedToken, to urlRequest: inout URLRequest) {
      urlRequest.setValue(credential.value, forHTTPHeaderField: "Authorization")
    }

    func refresh(
      _ credential: AskedToken, for session: Session,
      completion: @escaping @Sendable (Result<AskedToken, any Error>) -> Void
    ) {
      refreshes.note(credential.value)
      completion(.success(AskedToken(value: "fresh", ask: { false })))
    }

    func didRequest(
      _ urlRequest: URLRequest, with response: HTTPURLResponse,
      failDueToAuthenticationError error: any Error
    ) -> Bool { false }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: AskedToken) -> Bool { true }
  }

  private typealias AskedInterceptor = AuthenticationInterceptor<AskedAuthenticator>

  private func send(by interceptor: AskedInterceptor) -> Result<URLRequest, any Error>? {
    let answers = Recorder<Result<URLRequest, any Error>>()
    let answered = Signal()
    let session = ScriptedSession().session
    guard let url = URL(string: "http://host.test/") else { return nil }
    let isBack = Signal.isRaised {
      interceptor.adapt(URLRequest(url: url), for: session) {
        answers.note($0)
        answered.raise()
      }
    }
    #expect(isBack && answered.wait())
    return answers.entries.first
  }

  /// Whoever is asked may ask back, and may bring another credential.
  @Test func aCredentialMayUseItsInterceptor() {
    let interceptor = AskedInterceptor(authenticator: AskedAuthenticator())
    interceptor.credential = AskedToken(value: "first") { [weak interceptor] in
      #expect(interceptor?.credential?.value == "first")
      return false
    }
    #expect(send(by: interceptor)?.success?.value(forHTTPHeaderField: "Authorization") == "first")
    interceptor.credential = AskedToken(value: "first") { [weak interceptor] in
      interceptor?.credential = AskedToken(value: "second", ask: { false })
      return true
    }
    // What the first one said of itself does not concern the second.
    #expect(send(by: interceptor)?.success?.value(forHTTPHeaderField: "Authorization") == "second")
    #expect(send(by: interceptor)?.success?.value(forHTTPHeaderField: "Authorization") == "second")
  }

  /// They all learn that the credential is due before any of them can say so: there is one refresh all the same.
  @Test func manyThatAskAtOnceRefreshOnce() async {
    let authenticator = AskedAuthenticator()
    let asked = Signal()
    let interceptor = AskedInterceptor(
      authenticator: authenticator,
      credential: AskedToken(value: "stale") {
        asked.raise()
        return asked.wait(for: 8)
      })
    let session = ScriptedSession().session
    let fields = Recorder<String>()
    let applied = Signal()
    for number in 0..<8 {
      DispatchQueue(label: "test.adapt.\(number)").async {
        guard let url = URL(string: "http://host.test/") else { return }
        interceptor.adapt(URLRequest(url: url), for: session) { result in
          fields.note(result.success?.value(forHTTPHeaderField: "Authorization") ?? "\(result)")
          applied.raise()
        }
      }
    }
    #expect(applied.wait(for: 8, seconds: 60))
    #expect(fields.entries == Array(repeating: "fresh", count: 8))
    #expect(authenticator.refreshes.entries == ["stale"])
  }

  /// A credential that is let go of may ask for the one in its place.
  @Test(arguments: [false, true]) func aCredentialThatHasGoneMayAsk(byRefresh: Bool) {
    let interceptor = AskedInterceptor(authenticator: AskedAuthenticator())
    let heard = Signal()
    interceptor.credential = AskedToken(
      value: "old", ask: { true },
      word: LastWord { [weak interceptor] in
        _ = interceptor?.credential
        heard.raise()
      })
    if byRefresh {
      #expect(send(by: interceptor)?.success?.value(forHTTPHeaderField: "Authorization") == "fresh")
    } else {
      #expect(Signal.isRaised { interceptor.credential = nil })
    }
    #expect(heard.wait(seconds: 5))
  }
}
