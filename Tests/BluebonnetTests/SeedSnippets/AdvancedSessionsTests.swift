// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

extension SeedSnippetsTests {
  /// The advanced guide on sessions.
  @Suite struct AdvancedSessionsTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() throws {
      origin = try Origin.start()
    }

    private func expectAnswer(
      from session: Session, to path: String = "/get", sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      let answer = await sent(session.request(base + path))
      #expect(answer.response?.statusCode == 200 && answer.error == nil, sourceLocation: sourceLocation)
    }

    @Test func theNamespaceIsTheDefaultSession() async throws {
      let AF = Bluebonnet.AF
      #expect(await sent(AF.request(base + "/get")).response?.statusCode == 200)
      #expect(AF === Session.default)
    }

    @Test func theDefaultSession() async throws {
      let session = Session.default
      #expect(await sent(session.request(base + "/get")).response?.statusCode == 200)
    }

    /// All that the convenience initialiser is declared with.
    @Test func customSessions() async {
      let session = Session(
        configuration: URLSessionConfiguration.af.default,
        delegate: SessionDelegate(),
        rootQueue: DispatchQueue(label: "org.alamofire.session.rootQueue"),
        startRequestsImmediately: true,
        requestQueue: nil,
        serializationQueue: nil,
        interceptor: nil,
        serverTrustManager: nil,
        redirectHandler: nil,
        cachedResponseHandler: nil,
        eventMonitors: [])
      #expect(session.rootQueue.label == "org.alamofire.session.rootQueue")
      await expectAnswer(from: session)
    }

    @Test func withAConfiguration() async {
      let configuration = URLSessionConfiguration.af.default
      configuration.allowsCellularAccess = false

      let session = Session(configuration: configuration)
      #expect(!session.session.configuration.allowsCellularAccess)
      await expectAnswer(from: session)
    }

    @Test func theDelegate() async {
      let delegate = SessionDelegate(fileManager: .default)
      let session = Session(delegate: delegate)
      #expect(session.delegate === delegate)
      await expectAnswer(from: session)
    }

    @Test func withoutStartingRequests() async {
      let session = Session(startRequestsImmediately: false)
      let answers = Recorder<AFDataResponse<Data?>>()
      let request = session.request(base + "/get").response { answers.note($0) }
      #expect(request.isInitialized)
      request.resume()
      await Eventually.expect("It ran.") { answers.entries.first?.response?.statusCode == 200 }
    }

    @Test func queues() async {
      let root = DispatchQueue(label: "org.example.root")
      let requests = DispatchQueue(label: "org.example.requests")
      let serialization = DispatchQueue(label: "org.example.serialization")

      let session = Session(
        rootQueue: root,
        requestQueue: requests,
        serializationQueue: serialization)
      #expect(session.requestQueue === requests && session.serializationQueue === serialization)
      await expectAnswer(from: session)
    }

    @Test func anInterceptor() async {
      let policy = RetryPolicy()
      let session = Session(interceptor: policy)
      origin.script("/get", .reset, .endpoint)
      await expectAnswer(from: session)
    }

    /// The bundle of the tests has no certificates, so no server is good enough.
    @Test func aServerTrustManager() async throws {
      let secure = try Origin.start(security: .tls)
      let host = try #require(URL(string: secure.baseURL)?.host)
      let manager = ServerTrustManager(evaluators: [host: PinnedCertificatesTrustEvaluator()])
      let session = Session(serverTrustManager: manager)
      let error = await sent(session.request(secure.baseURL + "/get")).error
      guard case .serverTrustEvaluationFailed(.noCertificatesFound) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func aRedirectHandler() async {
      let redirector = Redirector(behavior: .follow)
      let session = Session(redirectHandler: redirector)
      await expectAnswer(from: session, to: "/redirect/2")
      #expect(origin.requests.count == 3)
    }

    @Test func aHandlerOfCachedResponses() async {
      let cacher = ResponseCacher(behavior: .cache)
      let session = Session(cachedResponseHandler: cacher)
      await expectAnswer(from: session)
    }

    @Test func eventMonitors() async throws {
      let completed = Recorder<Request>()
      let monitor = ClosureEventMonitor()
      monitor.requestDidCompleteTaskWithError = { (request, task, error) in
        if task.state == .completed, error == nil { completed.note(request) }
      }
      let session = Session(eventMonitors: [monitor])
      await expectAnswer(from: session)
      #expect(try await completed.first().description.hasPrefix("GET \(base)/get"))
    }

    @Test func allRequests() async throws {
      let session = Session()
      let request = session.request(base + "/infinite") { $0.timeoutInterval = 600 }
      request.response { _ in }
      let seen = Recorder<Int>()
      await Eventually.expect("It runs.") { request.task != nil }
      session.withAllRequests { requests in
        requests.forEach { $0.suspend() }
        seen.note(requests.count)
      }
      #expect(try await seen.first() == 1)
      #expect(request.isSuspended)
      request.cancel()
    }

    /// The guide shortens the label `completingOnQueue`.
    @Test(arguments: [false, true]) func cancellingAllRequests(onADefaultQueue: Bool) async throws {
      let session = Session()
      let request = session.request(base + "/infinite") { $0.timeoutInterval = 600 }
      request.response { _ in }
      await Eventually.expect("It runs.") { request.task != nil }
      let words = Recorder<String>()
      if onADefaultQueue {
        session.cancelAllRequests { words.note("cancelled") }
      } else {
        session.cancelAllRequests(completingOnQueue: .main) {
          words.note("cancelled")
        }
      }
      #expect(try await words.first() == "cancelled")
      #expect(request.isCancelled)
    }

    @Test func aroundAURLSession() async {
      let root = DispatchQueue(label: "org.example.root")
      let operations = OperationQueue()
      operations.maxConcurrentOperationCount = 1
      operations.underlyingQueue = root
      let delegate = SessionDelegate()
      let configuration = URLSessionConfiguration.af.default
      let urlSession = URLSession(
        configuration: configuration,
        delegate: delegate,
        delegateQueue: operations)
      let session = Session(session: urlSession, delegate: delegate, rootQueue: root)
      #expect(session.session === urlSession)
      await expectAnswer(from: session)
    }
  }
}
