// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

import func Glibc.pow

extension SeedSnippetsTests {
  /// The advanced guide on adapting, retrying and authenticating.
  @Suite struct AdvancedInterceptorsTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() {
      origin = Origin.inMemory()
    }

    private final class Bearer: RequestAdapter {
      let token: String

      init(token: String) { self.token = token }

      func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
      ) {
        var urlRequest = urlRequest
        urlRequest.headers.add(.authorization(bearerToken: token))

        completion(.success(urlRequest))
      }
    }

    private final class Numbered: RequestInterceptor {
      let seen = Recorder<UUID>()

      func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
      ) {
        seen.note(state.requestID)
        completion(.success(urlRequest))
      }
    }

    private final class Once: RequestRetrier {
      func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
      ) {
        completion(request.retryCount == 0 ? .retry : .doNotRetry)
      }
    }

    /// What the guide shows of the library's own policy, as a subclass has to write it.
    private final class Patient: RetryPolicy, @unchecked Sendable {
      override func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
      ) {
        if request.retryCount < retryLimit,
          let method = request.request?.method,
          retryableHTTPMethods.contains(method),
          shouldRetry(request: request, dueTo: error)
        {
          let delay =
            pow(Double(exponentialBackoffBase), Double(request.retryCount)) * exponentialBackoffScale
          completion(.retryWithDelay(delay))
        } else {
          completion(.doNotRetry)
        }
      }
    }

    @Test func anAdapter() async {
      let session = Session(
        configuration: .af.default.inMemory(), interceptor: Interceptor(adapters: [Bearer(token: "t")]))
      _ = await sent(session.request(base + "/get"))
      #expect(origin.requests.first?.value("Authorization") == "Bearer t")
    }

    @Test func anAdapterWithState() async throws {
      let numbered = Numbered()
      let request = AF.request(base + "/get", interceptor: numbered)
      _ = await sent(request)
      #expect(numbered.seen.entries == [request.id])
    }

    @Test func aRetrier() async {
      origin.script("/get", .response(status: 500), .endpoint)
      let session = Session(
        configuration: .af.default.inMemory(), interceptor: Interceptor(retriers: [Once()]))
      let request = session.request(base + "/get").validate()
      #expect(await sent(request).error == nil)
      #expect(request.retryCount == 1)
    }

    @Test func theResultsOfARetrier() async {
      struct Verdict: Error {}
      for result in [RetryResult.retry, .retryWithDelay(0.001), .doNotRetry, .doNotRetryWithError(Verdict())]
      {
        origin.script("/turn", .response(status: 500), .response(body: [1]))
        let session = Session(
          configuration: .af.default.inMemory(),
          interceptor: Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? result : .doNotRetry)
          })
        let request = session.request(base + "/turn").validate()
        let answer = await sent(request)
        switch result {
        case .retry, .retryWithDelay: #expect(answer.value?.count == 1 && request.retryCount == 1)
        case .doNotRetry: #expect(answer.error?.responseCode == 500)
        case .doNotRetryWithError: #expect(answer.error?.isRequestRetryError == true)
        }
      }
    }

    @Test func aPolicy() async {
      origin.script("/get", .response(status: 503), .response(status: 503), .endpoint)
      let session = Session(
        configuration: .af.default.inMemory(), interceptor: Patient(exponentialBackoffScale: 0.001))
      let request = session.request(base + "/get").validate()
      #expect(await sent(request).error == nil)
      #expect(request.retryCount == 2)
    }

    @Test func severalInterceptors() async {
      let adapter = Bearer(token: "t")
      let retrier = Once()
      let interceptor = Numbered()

      let adapterAndRetrier = Interceptor(adapter: adapter, retrier: retrier)
      let composite = Interceptor(interceptors: [adapterAndRetrier, interceptor])

      origin.script("/get", .response(status: 500), .endpoint)
      let request = AF.request(base + "/get", interceptor: composite).validate()
      #expect(await sent(request).error == nil)
      #expect(origin.requests.map { $0.value("Authorization") } == ["Bearer t", "Bearer t"])
      #expect(interceptor.seen.entries == [request.id, request.id])
    }

    // MARK: Authentication

    private struct Pass: AuthenticationCredential {
      let access: String
      let renewal: String
      let holder: String
      let expiry: Date

      var requiresRefresh: Bool { Date(timeIntervalSinceNow: 60 * 5) > expiry }
    }

    private final class Gate: Authenticator {
      func apply(_ credential: Pass, to urlRequest: inout URLRequest) {
        urlRequest.headers.add(.authorization(bearerToken: credential.access))
      }

      func refresh(
        _ credential: Pass,
        for session: Session,
        completion: @escaping @Sendable (Result<Pass, any Error>) -> Void
      ) {
        completion(
          .success(
            Pass(
              access: credential.renewal, renewal: "r1", holder: credential.holder,
              expiry: Date(timeIntervalSinceNow: 60 * 60))))
      }

      func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
      ) -> Bool {
        response.statusCode == 401
      }

      func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Pass) -> Bool {
        let bearer = HTTPHeader.authorization(bearerToken: credential.access).value
        return urlRequest.headers["Authorization"] == bearer
      }
    }

    /// A pass that is good, one that is about to expire, and one that the server refuses.
    @Test(
      arguments: [(3600, 200, ["a0"]), (60, 200, ["r0"]), (3600, 401, ["a0", "r0"])]
        as [(Double, Int, [String])])
    func authentication(seconds: Double, status: Int, tokens: [String]) async throws {
      if status == 401 { origin.script("/get", .response(status: 401), .endpoint) }
      let pass = Pass(
        access: "a0",
        renewal: "r0",
        holder: "u0",
        expiry: Date(timeIntervalSinceNow: seconds))

      let gate = Gate()
      let interceptor = AuthenticationInterceptor(
        authenticator: gate,
        credential: pass)

      let session = Session(configuration: .af.default.inMemory())
      let urlRequest = URLRequest(url: try #require(URL(string: base + "/get")))
      let request = session.request(urlRequest, interceptor: interceptor).validate()
      #expect(await sent(request).response?.statusCode == 200)
      #expect(origin.requests.map { $0.value("Authorization") } == tokens.map { "Bearer \($0)" })
    }

    // MARK: Compression

    private let text = String(repeating: "blue", count: 10_000)

    private func post(by interceptor: any RequestInterceptor, headers: HTTPHeaders? = nil) -> DataRequest {
      AF.request(
        base + "/post", method: .post, parameters: ["text": text], headers: headers, interceptor: interceptor)
    }

    @Test func compressingABody() async throws {
      let session = Session(configuration: .af.default.inMemory())
      let request = session.request(
        base + "/post", method: .post, parameters: ["text": text], interceptor: .deflateCompressor)
      #expect(try await request.serializingDecodable(Echo.self).value.form == ["text": text])
      let received = try #require(origin.requests.first)
      #expect(received.value("Content-Encoding") == "deflate" && received.body.count < 1000)
    }

    @Test func codedBodiesByDefault() async {
      let answer = await sent(post(by: .deflateCompressor, headers: ["Content-Encoding": "gzip"]))
      #expect(answer.error?.underlyingError is DeflateRequestCompressor.DuplicateHeaderError)
      #expect(origin.requests.isEmpty)
    }

    @Test(arguments: [
      (DeflateRequestCompressor.DuplicateHeaderBehavior.replace, "deflate"), (.skip, "identity"),
    ])
    func codedBodies(behavior: DeflateRequestCompressor.DuplicateHeaderBehavior, coding: String) async {
      switch behavior {
      case .error, .replace, .skip: break
      }
      let session = Session(configuration: .af.default.inMemory())
      let request = session.request(
        base + "/post", method: .post, parameters: ["text": text],
        headers: ["Content-Encoding": "identity"],
        interceptor: .deflateCompressor(duplicateHeaderBehavior: behavior))
      #expect(await sent(request).error == nil)
      #expect(origin.requests.first?.values("Content-Encoding") == [coding])
    }

    @Test(arguments: [(100, false), (10_000, true)]) func compressingWhatIsLarge(count: Int, isCoded: Bool)
      async
    {
      let compressor = DeflateRequestCompressor { body in
        body.count > 1024
      }

      let session = Session(configuration: .af.default.inMemory(), interceptor: compressor)
      let request = session.request(
        base + "/post", method: .post, parameters: ["text": String(repeating: "b", count: count)])
      #expect(await sent(request).error == nil)
      #expect((origin.requests.first?.value("Content-Encoding") == "deflate") == isCoded)
    }
  }
}
