// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Code of the user's may take its time: whatever it is, requests of other sessions go on meanwhile.
@Suite struct UserCodeTests {
  /// Takes its time, the first time, until it is woken.
  fileprivate final class Sleeper: Sendable {
    enum State { case awake, asleep, woken, gaveUp }

    private let state = Locked(State.awake)
    private let gate = DispatchSemaphore(value: 0)

    func sleep() {
      let isFirst = state.withLock { state in
        guard state == .awake else { return false }
        state = .asleep
        return true
      }
      guard isFirst else { return }
      let result = gate.wait(timeout: .now() + 60)
      state.withLock { $0 = result == .success ? .woken : .gaveUp }
    }

    func wake() { gate.signal() }

    var isAsleep: Bool { state.withLock { $0 == .asleep } }
    var hasGivenUp: Bool { state.withLock { $0 == .gaveUp } }
  }

  // MARK: What may sleep

  private struct Retrying: RequestInterceptor {
    let sleeper: Sleeper
    let adapts: Bool

    func adapt(
      _ urlRequest: URLRequest, for session: Session,
      completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
      if adapts { sleeper.sleep() }
      completion(.success(urlRequest))
    }

    func retry(
      _ request: Request, for session: Session, dueTo error: any Error,
      completion: @escaping @Sendable (RetryResult) -> Void
    ) {
      if !adapts { sleeper.sleep() }
      completion(.doNotRetry)
    }
  }

  private struct Handling: RedirectHandler, CachedResponseHandler {
    let sleeper: Sleeper

    func task(
      _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
      completion: @escaping (URLRequest?) -> Void
    ) {
      sleeper.sleep()
      completion(request)
    }

    func dataTask(
      _ task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
      completion: @escaping (CachedURLResponse?) -> Void
    ) {
      sleeper.sleep()
      completion(response)
    }
  }

  private struct Serializing: DataResponseSerializerProtocol, DataPreprocessor, DataStreamSerializer {
    let sleeper: Sleeper

    func serialize(
      request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
    ) throws -> Int {
      sleeper.sleep()
      return 0
    }

    func preprocess(_ data: Data) throws -> Data {
      sleeper.sleep()
      return data
    }

    func serialize(_ data: Data) throws -> Int {
      sleeper.sleep()
      return data.count
    }
  }

  private struct Statuses: Sequence, Sendable {
    let sleeper: Sleeper

    func makeIterator() -> some IteratorProtocol<Int> {
      sleeper.sleep()
      return [200].makeIterator()
    }
  }

  private struct Monitoring: EventMonitor {
    let sleeper: Sleeper
    let queue = DispatchQueue(label: "test.user.monitor")

    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
      sleeper.sleep()
    }
  }

  private struct Evaluating: ServerTrustEvaluating {
    let sleeper: Sleeper
    func evaluate(_ trust: SecTrust, forHost host: String) throws { sleeper.sleep() }
  }

  private final class Delegate: SessionDelegate, @unchecked Sendable {
    let sleeper: Sleeper

    init(_ sleeper: Sleeper) {
      self.sleeper = sleeper
      super.init()
    }

    override func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {
      sleeper.sleep()
      super.urlSession(session, dataTask: dataTask, didReceive: data)
    }
  }

  private final class TaskDelegate: URLSessionDataDelegate {
    let sleeper: Sleeper
    init(_ sleeper: Sleeper) { self.sleeper = sleeper }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) { sleeper.sleep() }
  }

  private final class Files: FileManager, @unchecked Sendable {
    let sleeper: Sleeper

    init(_ sleeper: Sleeper) {
      self.sleeper = sleeper
      super.init()
    }

    override func moveItem(at source: URL, to destination: URL) throws {
      sleeper.sleep()
      try super.moveItem(at: source, to: destination)
    }
  }

  private final class Cookies: HTTPCookieStorage, @unchecked Sendable {
    let (sleeper, reads): (Sleeper, Bool)

    init(_ sleeper: Sleeper, reads: Bool) {
      (self.sleeper, self.reads) = (sleeper, reads)
      super.init()
    }

    override func cookies(for url: URL) -> [HTTPCookie]? {
      if reads { sleeper.sleep() }
      return super.cookies(for: url)
    }

    override func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
      if !reads { sleeper.sleep() }
      super.setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL)
    }
  }

  private final class Cache: URLCache, @unchecked Sendable {
    let (sleeper, stores): (Sleeper, Bool)

    init(_ sleeper: Sleeper, stores: Bool) {
      (self.sleeper, self.stores) = (sleeper, stores)
      super.init(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
    }

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
      if !stores { sleeper.sleep() }
      return super.cachedResponse(for: request)
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
      if stores { sleeper.sleep() }
      super.storeCachedResponse(cachedResponse, for: request)
    }
  }

  private final class Loading: URLProtocol, @unchecked Sendable {
    static let sleeper = Sleeper()

    override class func canInit(with request: URLRequest) -> Bool { true }

    override func startLoading() {
      Self.sleeper.sleep()
      client?.urlProtocol(self, didFailWithError: URLError(.cancelled))
    }
  }

  // MARK: The table

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate var security = Origin.Security.plain
    fileprivate var start: @Sendable (_ origin: Origin, _ sleeper: Sleeper) -> [any Sendable]
  }

  private static func session(
    _ configure: (URLSessionConfiguration) -> Void = { _ in }, delegate: SessionDelegate = SessionDelegate(),
    interceptor: (any RequestInterceptor)? = nil, manager: ServerTrustManager? = nil,
    redirects: (any RedirectHandler)? = nil, caching: (any CachedResponseHandler)? = nil,
    monitors: [any EventMonitor] = []
  ) -> Session {
    let configuration = URLSessionConfiguration.af.ephemeral
    configuration.timeoutIntervalForRequest = 600
    configure(configuration)
    return Session(
      configuration: configuration, delegate: delegate, interceptor: interceptor,
      serverTrustManager: manager, redirectHandler: redirects, cachedResponseHandler: caching,
      eventMonitors: monitors)
  }

  private static func get(
    _ name: String, _ path: String = "/get", security: Origin.Security = .plain,
    in session: @escaping @Sendable (Sleeper) -> Session
  ) -> Case {
    Case(testDescription: name, security: security) { origin, sleeper in
      let session = session(sleeper)
      session.request(origin.baseURL + path).response(queue: .global()) { _ in }
      return [session]
    }
  }

  private static func plain(
    _ name: String, _ body: @escaping @Sendable (Session, String, Sleeper) -> Void
  ) -> Case {
    Case(testDescription: name) { origin, sleeper in
      let session = Self.session()
      body(session, origin.baseURL, sleeper)
      return [session]
    }
  }

  static let cases: [Case] = [
    plain("a validator") { session, base, sleeper in
      session.request(base + "/get").validate { _, _, _ in
        sleeper.sleep()
        return .success(())
      }.response(queue: .global()) { _ in }
    },
    plain("acceptable statuses") { session, base, sleeper in
      session.request(base + "/get").validate(statusCode: Statuses(sleeper: sleeper))
        .response(queue: .global()) { _ in }
    },
    plain("acceptable types") { session, base, sleeper in
      let types: @Sendable () -> [String] = {
        sleeper.sleep()
        return ["*/*"]
      }
      session.request(base + "/get").validate(contentType: types()).response(queue: .global()) { _ in }
    },
    plain("a serializer") { session, base, sleeper in
      session.request(base + "/get")
        .response(queue: .global(), responseSerializer: Serializing(sleeper: sleeper)) { _ in }
    },
    plain("a preprocessor") { session, base, sleeper in
      session.request(base + "/get")
        .responseData(queue: .global(), dataPreprocessor: Serializing(sleeper: sleeper)) { _ in }
    },
    plain("a stream's serializer") { session, base, sleeper in
      session.streamRequest(base + "/bytes/1000")
        .responseStream(using: Serializing(sleeper: sleeper), on: .global()) { _ in }
    },
    plain("a stream's handler") { session, base, sleeper in
      session.streamRequest(base + "/bytes/1000").responseStream(on: .global()) { _ in sleeper.sleep() }
    },
    plain("a response's handler") { session, base, sleeper in
      session.request(base + "/get").response(queue: .global()) { _ in sleeper.sleep() }
    },
    plain("a progress handler") { session, base, sleeper in
      session.request(base + "/get").downloadProgress(queue: .global()) { _ in sleeper.sleep() }
        .response(queue: .global()) { _ in }
    },
    plain("who looks at the head") { session, base, sleeper in
      session.request(base + "/get").onHTTPResponse(on: .global()) { _ in sleeper.sleep() }
        .response(queue: .global()) { _ in }
    },
    plain("a destination") { session, base, sleeper in
      session.download(
        base + "/bytes/1000",
        to: { temporary, _ in
          sleeper.sleep()
          return (temporary, [])
        }
      ).response(queue: .global()) { response in
        if let file = response.fileURL { try? FileManager.default.removeItem(at: file) }
      }
    },
    plain("a request's modifier") { session, base, sleeper in
      session.request(base + "/get") { _ in sleeper.sleep() }.response(queue: .global()) { _ in }
    },
    plain("a task's completion handler") { session, base, sleeper in
      URL(string: base + "/get").map {
        session.session.dataTask(with: $0) { _, _, _ in sleeper.sleep() }.resume()
      }
    },
    Case(testDescription: "a task's own delegate") { origin, sleeper in
      let session = Session(configuration: .ephemeral, requestSetup: .eager)
      let request = session.request(origin.baseURL + "/get", shouldAutomaticallyResume: false)
      request.onURLSessionTaskCreation(on: .global()) { task in
        task.delegate = TaskDelegate(sleeper)
        request.resume()
      }
      request.response(queue: .global()) { _ in }
      return [session]
    },
    plain("who asks for the tasks") { session, _, sleeper in
      session.session.getAllTasks { _ in sleeper.sleep() }
    },
    get("an adapter") { session(interceptor: Retrying(sleeper: $0, adapts: true)) },
    get("a retrier", "/redirect-to?url=ftp://none/") {
      session(interceptor: Retrying(sleeper: $0, adapts: false))
    },
    get("an evaluator", security: .tls) {
      session(manager: ServerTrustManager(evaluators: ["localhost": Evaluating(sleeper: $0)]))
    },
    get("a redirect handler", "/redirect-to?url=/get") { session(redirects: Handling(sleeper: $0)) },
    get("a cached response's handler") { session(caching: Handling(sleeper: $0)) },
    get("a monitor") { session(monitors: [Monitoring(sleeper: $0)]) },
    get("a session's delegate") { session(delegate: Delegate($0)) },
    get("cookies that are read") { sleeper in
      session { $0.httpCookieStorage = Cookies(sleeper, reads: true) }
    },
    get("cookies that are read for a redirect", "/redirect-to?url=/get") { sleeper in
      session { $0.httpCookieStorage = Cookies(sleeper, reads: true) }
    },
    get("cookies that are stored", "/response-headers?Set-Cookie=a%3Db") { sleeper in
      session { $0.httpCookieStorage = Cookies(sleeper, reads: false) }
    },
    get("a cache that stores") { sleeper in session { $0.urlCache = Cache(sleeper, stores: true) } },
    get("a cache that is asked") { sleeper in
      session {
        $0.urlCache = Cache(sleeper, stores: false)
        $0.requestCachePolicy = .returnCacheDataElseLoad
      }
    },
    Case(testDescription: "a file manager") { origin, sleeper in
      let session = session(delegate: SessionDelegate(fileManager: Files(sleeper)))
      session.download(origin.baseURL + "/bytes/1000").response(queue: .global()) { response in
        if let file = response.fileURL { try? FileManager.default.removeItem(at: file) }
      }
      return [session]
    },
  ]

  @Test(.timeLimit(.minutes(5)), arguments: cases)
  func othersGoOnMeanwhile(case: Case) async throws {
    let origin = try Origin.start(security: `case`.security)
    let sleeper = Sleeper()
    let kept = `case`.start(origin, sleeper)
    await Eventually.expect("it sleeps") { sleeper.isAsleep }
    let server = try Origin.start()
    let other = Self.session()
    for _ in 0..<100 {
      let response = await other.request(server.baseURL + "/get").validate().serializingData().response
      #expect(response.error == nil)
    }
    // They have all ended, and it has not.
    #expect(sleeper.isAsleep)
    sleeper.wake()
    withExtendedLifetime(kept) {}
  }

  @Test(.timeLimit(.minutes(5))) func aProtocolMaySleep() async throws {
    let session = Self.session { $0.protocolClasses = [Loading.self] }
    let request = session.request("http://host.test/").serializingData()
    await Eventually.expect("it sleeps") { Loading.sleeper.isAsleep }
    let server = try Origin.start()
    let other = Self.session()
    for _ in 0..<100 {
      #expect(
        await other.request(server.baseURL + "/get").validate().serializingData().response.error == nil)
    }
    #expect(Loading.sleeper.isAsleep)
    Loading.sleeper.wake()
    _ = await request.response
  }
}
