// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Interceptors and handlers that call a completion again, when the next one is open, change nothing.
@Suite struct RepeatedCompletionTests {
  private let origin: Origin
  private let elsewhere: Origin

  init() {
    origin = Origin.inMemory()
    elsewhere = Origin.inMemory()
  }

  /// Keeps the first value that it is given.
  private final class Kept<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)

    /// The first value where there is one already; nil for the first.
    func earlier(than next: Value) -> Value? {
      value.withLock { value in
        if value == nil {
          value = next
          return nil
        }
        return value
      }
    }
  }

  private var elsewhereRequest: URLRequest {
    get throws { URLRequest(url: try #require(URL(string: elsewhere.baseURL + "/get"))) }
  }

  @Test func anAdapter() async throws {
    origin.script("/twice", .response(status: 503), .response(body: "right".utf8))
    let kept = Kept<@Sendable (Result<URLRequest, any Error>) -> Void>()
    let wrong = try elsewhereRequest
    let adapter = Adapter { request, _, completion in
      kept.earlier(than: completion)?(.success(wrong))
      completion(.success(request))
    }
    let session = Session(configuration: .patientInMemory)
    let request = session.request(
      origin.baseURL + "/twice", interceptor: Interceptor(adapters: [adapter], retriers: [RetryPolicy()]))
    #expect(await request.validate().serializingString().result.success == "right")
    #expect(request.retryCount == 1)
    #expect(origin.requests.count == 2 && elsewhere.requests.isEmpty)
  }

  /// What was said of one attempt is not said of the next.
  @Test(arguments: [RetryResult.doNotRetry, .retry]) func aRetrier(again: RetryResult) async throws {
    origin.script("/thrice", .response(status: 503), .response(status: 503), .response(body: "right".utf8))
    let kept = Kept<@Sendable (RetryResult) -> Void>()
    let retrier = Retrier { _, _, _, completion in
      kept.earlier(than: completion)?(again)
      completion(.retry)
      completion(again)
    }
    let session = Session(configuration: .patientInMemory)
    let request = session.request(origin.baseURL + "/thrice", interceptor: Interceptor(retriers: [retrier]))
    #expect(await request.validate().serializingString().result.success == "right")
    #expect(request.retryCount == 2)
    #expect(origin.requests.count == 3)
  }

  private struct RepeatingRedirector: RedirectHandler {
    let kept = Kept<@Sendable (URLRequest?) -> Void>()
    let wrong: URLRequest

    func task(
      _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
      completion: @escaping (URLRequest?) -> Void
    ) {
      nonisolated(unsafe) let completion = completion
      kept.earlier(than: { completion($0) })?(wrong)
      completion(request)
    }
  }

  @Test func aRedirectHandler() async throws {
    let session = Session(
      configuration: .patientInMemory, redirectHandler: RepeatingRedirector(wrong: try elsewhereRequest))
    let response = await session.request(origin.baseURL + "/redirect/3").validate().serializingData().response
    #expect(response.response?.url?.path == "/get")
    #expect(elsewhere.requests.isEmpty)
  }

  private struct RepeatingCacher: CachedResponseHandler {
    func dataTask(
      _ task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
      completion: @escaping (CachedURLResponse?) -> Void
    ) {
      completion(nil)
      completion(response)
    }
  }

  @Test func aCachedResponseHandler() async throws {
    origin.script("/fresh", .response(fields: [("Cache-Control", "max-age=600")], body: "right".utf8))
    let configuration = URLSessionConfiguration.patientInMemory
    let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
    configuration.urlCache = cache
    let session = Session(configuration: configuration, cachedResponseHandler: RepeatingCacher())
    let request = session.request(origin.baseURL + "/fresh")
    #expect(await request.serializingString().result.success == "right")
    #expect(cache.cachedResponse(for: try #require(request.request)) == nil)
  }

  @Test func aResponseHook() async throws {
    let session = Session(configuration: .patientInMemory)
    let request = session.request(origin.baseURL + "/get").onHTTPResponse { _, completion in
      completion(.allow)
      completion(.cancel)
    }
    #expect(await request.serializingData().response.error == nil)
    #expect(!request.isCancelled)
  }

  /// Refreshes by counting, and gives the first credential once more when the second one is asked for.
  private final class RepeatingAuthenticator: Authenticator {
    struct Credential: AuthenticationCredential {
      let number: Int
      var requiresRefresh: Bool { false }
    }

    private let kept = Kept<@Sendable (Result<Credential, any Error>) -> Void>()

    func apply(_ credential: Credential, to urlRequest: inout URLRequest) {
      urlRequest.setValue("\(credential.number)", forHTTPHeaderField: "Authorization")
    }

    func refresh(
      _ credential: Credential, for session: Session,
      completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    ) {
      kept.earlier(than: completion)?(.success(Credential(number: 100)))
      completion(.success(Credential(number: credential.number + 1)))
    }

    func didRequest(
      _ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error
    ) -> Bool { response.statusCode == 401 }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool {
      urlRequest.value(forHTTPHeaderField: "Authorization") == "\(credential.number)"
    }
  }

  @Test func anAuthenticator() async throws {
    let refusal = ScriptedReply.response(status: 401)
    origin.script("/secret", refusal, refusal, .response(body: "right".utf8))
    let interceptor = AuthenticationInterceptor(
      authenticator: RepeatingAuthenticator(), credential: .init(number: 1))
    let session = Session(configuration: .patientInMemory)
    let request = session.request(origin.baseURL + "/secret", interceptor: interceptor).validate()
    #expect(await request.serializingString().result.success == "right")
    #expect(origin.requests.map { $0.value("Authorization") } == ["1", "2", "3"])
    #expect(interceptor.credential?.number == 3)
  }
}
