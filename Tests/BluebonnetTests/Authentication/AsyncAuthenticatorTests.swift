// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Authenticators with an asynchronous function.
@Suite struct AsyncAuthenticatorTests {
  struct Token: AuthenticationCredential, Sendable, Equatable {
    var value: String
    var requiresRefresh = false
  }

  private struct Refused: Error {}

  /// Waits until it is told what comes of a refresh.
  private final class GatedAuthenticator: AsyncAuthenticator {
    let refreshes = Recorder<String>()
    let wasCancelled = Recorder<Bool>()
    private let waiting = Locked<[CheckedContinuation<Token, any Error>]>([])

    func refresh(_ credential: Token, for session: Session) async throws -> Token {
      let token = try await withCheckedThrowingContinuation { continuation in
        waiting.withLock { $0.append(continuation) }
        refreshes.note(credential.value)
      }
      wasCancelled.note(Task.isCancelled)
      return token
    }

    func answer(_ result: Result<Token, any Error>) {
      let all = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for continuation in all { continuation.resume(with: result) }
    }

    func apply(_ credential: Token, to urlRequest: inout URLRequest) {
      urlRequest.setValue(credential.value, forHTTPHeaderField: "Authorization")
    }

    func didRequest(
      _ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error
    ) -> Bool { response.statusCode == 401 }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
      urlRequest.value(forHTTPHeaderField: "Authorization") == credential.value
    }
  }

  /// Notes what an interceptor has been asked, once it knows of it.
  private struct NotingInterceptor: RequestInterceptor {
    let interceptor: AuthenticationInterceptor<GatedAuthenticator>
    let questions: Recorder<String>

    func adapt(
      _ urlRequest: URLRequest, for session: Session,
      completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
      interceptor.adapt(urlRequest, for: session, completion: completion)
      questions.note("adapt")
    }

    func retry(
      _ request: Request, for session: Session, dueTo error: any Error,
      completion: @escaping @Sendable (RetryResult) -> Void
    ) {
      interceptor.retry(request, for: session, dueTo: error, completion: completion)
      questions.note("retry")
    }
  }

  private func scene(
    onQueues: Bool = false, _ token: Token, questions: Recorder<String> = Recorder()
  ) -> (GatedAuthenticator, AuthenticationInterceptor<GatedAuthenticator>, ScriptedSession) {
    let authenticator = GatedAuthenticator()
    let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: token)
    let noting = NotingInterceptor(interceptor: interceptor, questions: questions)
    let scripted = ScriptedSession(onQueues: onQueues, interceptor: noting) { _, task in
      let token = task.originalRequest?.value(forHTTPHeaderField: "Authorization")
      return token == "fresh" ? .reply(body: ["in"]) : .reply(status: 401)
    }
    return (authenticator, interceptor, scripted)
  }

  @Test(arguments: [false, true], [false, true])
  func manyRequestsOneRefresh(isOld: Bool, onQueues: Bool) async {
    let (authenticator, interceptor, scripted) = scene(
      onQueues: onQueues, Token(value: "stale", requiresRefresh: isOld))
    let requests = (0..<100).map { _ in scripted.session.request("http://host.test/").validate() }
    let tasks = requests.map { $0.serializingString() }
    await Eventually.expect("it is asked") { authenticator.refreshes.entries.count == 1 }
    authenticator.answer(.success(Token(value: "fresh")))
    for task in tasks { #expect(await task.result.success == "in") }
    #expect(authenticator.refreshes.entries == ["stale"])
    #expect(interceptor.credential == Token(value: "fresh"))
  }

  @Test(arguments: [false, true]) func errorsArePassedOn(isOld: Bool) async {
    let questions = Recorder<String>()
    let (authenticator, interceptor, scripted) = scene(
      Token(value: "stale", requiresRefresh: isOld), questions: questions)
    let tasks = (0..<10).map { _ in
      scripted.session.request("http://host.test/").validate().serializingString()
    }
    // One that came only after the failure would start a refresh of its own.
    await Eventually.expect("all wait") {
      questions.entries.count { $0 == (isOld ? "adapt" : "retry") } == 10
    }
    if !isOld { #expect(scripted.engine.started.count == 10) }
    await Eventually.expect("it is asked") { authenticator.refreshes.entries.count == 1 }
    authenticator.answer(.failure(Refused()))
    for task in tasks {
      let error = await task.response.error
      if isOld {
        #expect(error?.isRequestAdaptationError == true && error?.underlyingError is Refused)
      } else {
        #expect(error?.isRequestRetryError == true && error?.underlyingError is Refused)
      }
    }
    #expect(interceptor.credential?.value == "stale" && authenticator.refreshes.entries.count == 1)
    // The next request asks again.
    let next = scripted.session.request("http://host.test/").validate().serializingString()
    await Eventually.expect("it is asked again") { authenticator.refreshes.entries.count == 2 }
    authenticator.answer(.success(Token(value: "fresh")))
    #expect(await next.result.success == "in")
  }

  @Test func requestsThatAreCancelledMeanwhile() async {
    let (authenticator, _, scripted) = scene(Token(value: "stale", requiresRefresh: true))
    let requests = (0..<10).map { _ in scripted.session.request("http://host.test/").validate() }
    let tasks = requests.map { $0.serializingString() }
    await Eventually.expect("it is asked") { authenticator.refreshes.entries.count == 1 }
    for request in requests.prefix(9) { request.cancel() }
    // They do not wait for the refresh.
    for task in tasks.prefix(9) { #expect(await task.response.error?.isExplicitlyCancelledError == true) }
    authenticator.answer(.success(Token(value: "fresh")))
    #expect(await tasks[9].result.success == "in")
    #expect(scripted.engine.started.count == 1 && authenticator.wasCancelled.entries == [false])
  }

  /// The refresh of the only request that waits is not cancelled with it: the next one has its credential.
  @Test func aRefreshOutlivesItsRequest() async {
    let (authenticator, interceptor, scripted) = scene(Token(value: "stale", requiresRefresh: true))
    let task = scripted.session.request("http://host.test/").serializingString()
    await Eventually.expect("it is asked") { authenticator.refreshes.entries.count == 1 }
    task.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    authenticator.answer(.success(Token(value: "fresh")))
    await Eventually.expect("it is there") { interceptor.credential?.value == "fresh" }
    #expect(await scripted.session.request("http://host.test/").serializingString().result.success == "in")
    #expect(authenticator.refreshes.entries == ["stale"])
  }

  /// A refresh that never ends keeps no session, and a request's own limits still hold.
  @Test func aRefreshThatNeverEnds() async {
    let (authenticator, _, scripted) = scene(Token(value: "stale", requiresRefresh: true))
    let request = scripted.session.request("http://host.test/").deadline(after: 0.01)
    #expect(await request.serializingString().response.error?.isSessionTaskError == true)
    await Eventually.expect("it was asked") { authenticator.refreshes.entries.count == 1 }
    authenticator.answer(.failure(Refused()))
  }
}
