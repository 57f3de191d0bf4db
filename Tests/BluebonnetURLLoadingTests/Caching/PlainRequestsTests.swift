// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestStores
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCache
@testable import BluebonnetURLLoading

/// Requests that are answered without a load, and those that must not be.
@Suite struct PlainRequestsTests {
  private let origin: Origin
  private let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)

  init() {
    origin = Origin.inMemory()
  }

  private func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = cache
    return configuration
  }

  private func request(_ path: String = "/a") throws -> URLRequest {
    URLRequest(url: try #require(URL(string: origin.baseURL + path)))
  }

  private func serve(_ more: [(name: String, value: String)] = [], body: String = "one") {
    origin.script(
      "/a", .response(fields: [(name: "Cache-Control", value: "max-age=600")] + more, body: body.utf8))
  }

  /// A session that has loaded it, and its engine.
  private func warmed(_ configuration: URLSessionConfiguration) async throws -> (URLSession, any TaskEngine) {
    let session = URLSession(configuration: configuration)
    _ = try await session.data(for: try request())
    return (session, try #require(session.engine))
  }

  @Test func whatIsFreshInMemoryIsFoundWithoutALoad() async throws {
    serve()
    let (session, engine) = try await warmed(configuration())
    let answer = try #require(engine.plainAnswer(to: try request()))
    #expect(answer.data == Data("one".utf8))
    #expect(
      answer.response.value(forHTTPHeaderField: "Cache-Status")?.hasPrefix("Bluebonnet; hit; ttl=") == true)
    #expect(answer.response.url == (try request().url))
    let (data, response) = try await session.data(for: try request())
    #expect(data == answer.data && (response as? HTTPURLResponse)?.statusCode == 200)
    #expect(origin.requests.count == 1)
  }

  @Test func tasksAreServedItToo() async throws {
    serve()
    let (session, _) = try await warmed(configuration())
    let delegate = RecordingDelegate()
    let task = session.dataTask(with: try request())
    task.delegate = delegate
    task.resume()
    await Eventually.expect("It ends.") { delegate.record.isComplete }
    #expect(String(decoding: delegate.record.data, as: UTF8.self) == "one")
    #expect(delegate.record.metrics?.transactionMetrics.map(\.resourceFetchType) == [.localCache])
    #expect(task.countOfBytesReceived == 3)
    let (file, _) = try await session.download(for: try request())
    #expect(try String(contentsOf: file, encoding: .utf8) == "one")
    #expect(origin.requests.count == 1)
  }

  /// Each goes the long way, for what it says.
  @Test func aRequestThatSaysAnythingGoesTheLongWay() async throws {
    serve()
    let (_, engine) = try await warmed(configuration())
    let changes: [(inout URLRequest) -> Void] = [
      { $0.setValue("a", forHTTPHeaderField: "Accept") }, { $0.httpMethod = "HEAD" },
      { $0.httpBody = Data("x".utf8) },
      { $0.cachePolicy = .reloadIgnoringLocalCacheData }, { $0.cachePolicy = .reloadRevalidatingCacheData },
      { $0.httpBodyStream = InputStream(data: Data("x".utf8)) }, { $0.requiresDNSSECValidation = true },
      { $0.cookiePartitionIdentifier = "a" },
      { $0.url = $0.url.flatMap { URL(string: "http://me:secret@" + $0.absoluteString.dropFirst(7)) } },
      { $0.url = $0.url.flatMap { URL(string: $0.absoluteString + "#part") } },
      { $0.url = $0.url.flatMap { URL(string: "a", relativeTo: $0) } },
      { $0.url = $0.url.flatMap { URL(string: $0.absoluteString.uppercased()) } },
    ]
    #expect(engine.plainAnswer(to: try request()) != nil)
    for (index, change) in changes.enumerated() {
      var changed = try request()
      change(&changed)
      #expect(engine.plainAnswer(to: changed) == nil, "change \(index)")
    }
  }

  /// Each session's requests go the long way, for what it was asked for.
  @Test func aSessionThatIsAskedForMoreGoesTheLongWay() async throws {
    serve()
    _ = try await warmed(configuration())
    final class Refusing: URLProtocol, @unchecked Sendable {
      override class func canInit(with request: URLRequest) -> Bool { true }
      override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
      override func startLoading() {
        client?.urlProtocol(self, didFailWithError: URLError(.cannotParseResponse))
      }
      override func stopLoading() {}
    }
    final class Own: URLCache, @unchecked Sendable {}
    let changes: [(URLSessionConfiguration) -> Void] = [
      { $0.protocolClasses = [Refusing.self] }, { $0.urlCache = nil },
      { $0.urlCache = Own(memoryCapacity: 1000, diskCapacity: 0, diskPath: nil) },
      { $0.requestCachePolicy = .reloadIgnoringLocalCacheData }, { $0.requiresDNSSECValidation = true },
      { $0.httpAdditionalHeaders = ["Cache-Control": "no-cache"] },
      { $0.httpAdditionalHeaders = ["Authorization": "Bearer x"] },
      { $0.httpAdditionalHeaders = ["Host": "other"] },
      { $0.httpAdditionalHeaders = ["Cookie": "a=b"] }, { $0.decodesResponseContent = false },
      { $0.responseBodyLimitInMemory = 1 }, { $0.proxySelection = .select { _ in nil } },
      { $0.proxySelection = .proxy(URLSessionConfiguration.Proxy(.http, host: "localhost", port: 0)) },
    ]
    for (index, change) in changes.enumerated() {
      let configuration = configuration()
      change(configuration)
      let engine = try #require(URLSession(configuration: configuration).engine)
      #expect(engine.plainAnswer(to: try request()) == nil, "change \(index)")
    }
    // And whoever hears of tasks hears of this one.
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: configuration(), delegate: delegate, delegateQueue: nil)
    _ = try await session.data(for: try request())
    await Eventually.expect("It is told.") { delegate.record.metrics != nil }
  }

  @Test func whatVariesByCookiesIsLeftToTheRules() async throws {
    serve([(name: "Vary", value: "Accept-Encoding, Cookie")])
    let (session, engine) = try await warmed(configuration())
    #expect(engine.plainAnswer(to: try request()) == nil)
    _ = try await session.data(for: try request())
    #expect(origin.requests.count == 1)
  }

  @Test func whatVariesByTheSessionsFieldsIsFoundByItsSession() async throws {
    serve([(name: "Vary", value: "Accept-Encoding")])
    let (_, engine) = try await warmed(configuration())
    #expect(engine.plainAnswer(to: try request()) != nil)
    let other = configuration()
    other.httpAdditionalHeaders = ["Accept-Encoding": "identity"]
    let otherEngine = try #require(URLSession(configuration: other).engine)
    #expect(otherEngine.plainAnswer(to: try request()) == nil)
  }

  @Test func anInvalidatedSessionAndACancelledTaskGetNothing() async throws {
    serve()
    let (session, _) = try await warmed(configuration())
    let asked = try request()
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await session.data(for: asked).0
    }
    cancelled.cancel()
    await #expect(throws: (any Error).self) { try await cancelled.value }
    session.invalidateAndCancel()
    await #expect(throws: (any Error).self) { try await session.data(for: asked) }
  }

  @Test func whatIsForgottenIsNotFound() async throws {
    serve()
    let (_, engine) = try await warmed(configuration())
    cache.removeAllCachedResponses()
    #expect(engine.plainAnswer(to: try request()) == nil)
  }

  // MARK: On disk

  /// The engine of a session with nothing in memory and a small body on disk.
  private func warmed(over folder: StoreFolder) async throws -> (URLCache, any TaskEngine) {
    let cache = URLCache(memoryCapacity: 0, diskCapacity: 10_000_000, directory: folder.url)
    let configuration = configuration()
    configuration.urlCache = cache
    serve()
    let (_, engine) = try await warmed(configuration)
    await Eventually.expect("It is found.") { (try? engine.plainAnswerFromDisk(to: request())) != nil }
    return (cache, engine)
  }

  @Test func whatIsSmallAndFreshOnDiskIsFoundWithoutALoad() async throws {
    let folder = try StoreFolder()
    let first = configuration()
    first.urlCache = URLCache(memoryCapacity: 0, diskCapacity: 10_000_000, directory: folder.url)
    serve(body: String(repeating: "x", count: 10_240))
    let (session, engine) = try await warmed(first)
    await Eventually.expect("It is kept.") { !folder.files.isEmpty }
    #expect(engine.plainAnswer(to: try request()) == nil)
    await Eventually.expect("It is found.") {
      (try? engine.plainAnswerFromDisk(to: request()))??.data.count == 10_240
    }
    let (data, response) = try await session.data(for: try request())
    #expect(data.count == 10_240)
    #expect(
      (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Cache-Status")?.contains("hit") == true)
    first.urlCache?.removeCachedResponse(for: try request())
    #expect(engine.plainAnswerFromDisk(to: try request()) == nil)
    #expect(origin.requests.count == 1)
  }

  /// The removal itself waits for its turn.
  @Test func whatTheServerDisownsIsNotFoundOnDiskEither() async throws {
    let folder = try StoreFolder()
    let (cache, engine) = try await warmed(over: folder)
    let storage = cache.storage
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    storage.change { _ in for await _ in gate {} }
    storage.remove(StoredResponse.Key(method: "GET", target: origin.baseURL + "/a"))
    #expect(engine.plainAnswerFromDisk(to: try request()) == nil)
    opener.finish()
  }

  @Test func whoeverHoldsTheLoopWaitsForNoDisk() async throws {
    let folder = try StoreFolder()
    let (_, engine) = try await warmed(over: folder)
    let asked = try request()
    let loop = URLSessionConfiguration.EventLoop.shared.taskExecutor
    let found = await Task(executorPreference: loop) { engine.plainAnswerFromDisk(to: asked)?.data }.value
    #expect(found == nil)
  }
}
