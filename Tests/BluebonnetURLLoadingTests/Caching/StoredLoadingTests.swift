// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestStores
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Loads over a store that is not the memory: what is found there, and what is written while it comes.
@Suite struct StoredLoadingTests {
  private let origin: Origin
  private let store = SlowStore()

  init() throws { origin = Origin.inMemory() }

  /// With a memory for nothing but heads.
  private func session() -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = URLCache(memoryCapacity: 20_000, store: store)
    return URLSession(configuration: configuration)
  }

  private func request(_ path: String) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: origin.baseURL + path)))
  }

  private static let large = Data([UInt8](cycling: 3_000_000))

  private func serveLarge(
    _ fields: [(String, String)] = [("Cache-Control", "max-age=600"), ("ETag", "\"a\"")]
  ) {
    origin.script("/large", .response(fields: fields.map { (name: $0.0, value: $0.1) }, body: Self.large))
  }

  @Test func aLargeBodyIsWrittenWhileItComes() async throws {
    serveLarge()
    #expect(try await session().data(for: try request("/large")).0 == Self.large)
    await Eventually.expect("It is kept.") { store.count == 1 }
    #expect(store.pieces > 1)
    // Another session, whose memory knows nothing of it.
    let (again, response) = try await session().data(for: try request("/large"))
    #expect(again == Self.large)
    let head = try #require(response as? HTTPURLResponse)
    #expect(head.value(forHTTPHeaderField: "Cache-Status")?.contains("hit") == true)
    let (file, _) = try await session().download(for: try request("/large"))
    #expect(try Data(contentsOf: file) == Self.large)
    #expect(origin.requests.count == 1)
    var part = try request("/large")
    part.setValue("bytes=1000000-1999999", forHTTPHeaderField: "Range")
    #expect(try await session().data(for: part).0 == Self.large[1_000_000..<2_000_000])
    #expect(origin.requests.count == 1)
  }

  @Test func aSlowReaderOfAKeptBodyHoldsItBack() async throws {
    serveLarge()
    _ = try await session().data(for: try request("/large"))
    await Eventually.expect("It is kept.") { store.count == 1 }
    let reads = store.reads
    let (bytes, _) = try await session().bytes(for: try request("/large"))
    var iterator = bytes.makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first == Self.large[0])
    #expect(store.reads - reads < 30)
    var rest = 1
    while try await iterator.next() != nil { rest += 1 }
    #expect(rest == Self.large.count)
  }

  @Test func whatBreaksOffIsNotKept() async throws {
    let whole = ScriptedReply.response(fields: [("Cache-Control", "max-age=600")], body: Self.large)
    origin.script("/large", whole.cut(after: 2_000_000, then: .close))
    await #expect(throws: URLError.self) { try await session().data(for: try request("/large")) }
    await Eventually.expect("It is given up.") { store.abandoned == 1 }
    #expect(store.count == 0)
  }

  /// What its task has ended early has not come whole.
  @Test func aDownloadThatEndsEarlyIsNotKept() async throws {
    let whole = ScriptedReply.response(fields: [("Cache-Control", "max-age=600")], body: Self.large)
    origin.script("/large", whole.cut(after: 2_000_000, then: .hang))
    let task = session().downloadTask(with: try request("/large"))
    task.resume()
    await Eventually.expect("It is written while it comes.") { store.pieces > 0 }
    task.endWithoutRest()
    await Eventually.expect("It ends.") { task.state == .completed }
    await Eventually.expect("It is given up.") { store.abandoned == 1 }
    #expect(store.count == 0)
  }

  /// A store that stops taking a body is told of, and keeps nothing older either. The load is none the wiser.
  @Test(arguments: [SlowStore.Step.write, .append, .commit])
  func aStoreThatDoesNotKeepSaysSo(step: SlowStore.Step) async throws {
    let old = try request("/large")
    serveLarge([("Cache-Control", "max-age=0"), ("ETag", "\"a\"")])
    let session = session()
    _ = try await session.data(for: old)
    await Eventually.expect("It is kept.") { store.count == 1 }
    store.refuse(step)
    serveLarge([("Cache-Control", "max-age=600"), ("ETag", "\"b\"")])
    #expect(try await session.data(for: old).0 == Self.large)
    await Eventually.expect("It is told.") {
      session.configuration.urlCache?.lastStoreFailure is SlowStore.Failure
    }
    await Eventually.expect("Nothing is kept.") { store.count == 0 }
  }

  @Test func aListenerMayForbidIt() async throws {
    serveLarge()
    let delegate = Refusal()
    let session = URLSession(
      configuration: self.session().configuration, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try request("/large"))
    task.resume()
    await Eventually.expect("It is given up.") { store.abandoned == 1 }
    #expect(store.count == 0 && delegate.offered.withLock { $0 } == [0])
  }

  private final class Refusal: URLSessionDataDelegate {
    let offered = Locked<[Int]>([])

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
      completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      offered.withLock { $0.append(proposed.data.count) }
      completionHandler(nil)
    }
  }

  @Test func aStaleBodyIsConfirmedAndReadFromTheStore() async throws {
    origin.script(
      "/large", .response(fields: [("Cache-Control", "max-age=0"), ("ETag", "\"a\"")], body: Self.large),
      .response(status: 304, fields: [("ETag", "\"a\""), ("Cache-Control", "max-age=600")]))
    _ = try await session().data(for: try request("/large"))
    await Eventually.expect("It is kept.") { store.count == 1 }
    #expect(try await session().data(for: try request("/large")).0 == Self.large)
    #expect(origin.requests.last?.value("If-None-Match") == "\"a\"")
    await Eventually.expect("It is brought up to date.") { store.updates == 1 }
    #expect(try await session().data(for: try request("/large")).0 == Self.large)
    #expect(origin.requests.count == 2)
  }

  /// What cannot be read is a miss, as long as nothing of it was handed over; then it is a failure.
  @Test func aStoreThatFailsIsAMiss() async throws {
    serveLarge()
    _ = try await session().data(for: try request("/large"))
    await Eventually.expect("It is kept.") { store.count == 1 }
    store.fail(at: 0)
    #expect(try await session().data(for: try request("/large")).0 == Self.large)
    #expect(origin.requests.count == 2)
    await Eventually.expect("It is kept again.") { store.pieces > 0 && store.count == 1 }
    store.fail(at: 1_000_000)
    await #expect(throws: URLError.self) { try await session().data(for: try request("/large")) }
    store.failLookups()
    #expect(try await session().data(for: try request("/large")).0 == Self.large)
  }

  /// The server's part speaks of the response that could not be read, of which nothing is known any more then.
  @Test func aPartOfWhatCannotBeRead() async throws {
    let tag = (name: "ETag", value: "\"a\"")
    origin.script(
      "/large", .response(fields: [("Cache-Control", "max-age=600"), tag], body: Self.large),
      .response(
        status: 206, fields: [("Content-Range", "bytes 0-9/\(Self.large.count)"), tag],
        body: Self.large.prefix(10)))
    _ = try await session().data(for: try request("/large"))
    await Eventually.expect("It is kept.") { store.count == 1 }
    store.fail(at: 0)
    var part = try request("/large")
    part.setValue("bytes=0-9", forHTTPHeaderField: "Range")
    let (data, response) = try await session().data(for: part)
    #expect(data == Self.large.prefix(10) && (response as? HTTPURLResponse)?.statusCode == 206)
    #expect(origin.requests.count == 2)
  }

  /// The server has confirmed what then cannot be read: it is asked for all of it.
  @Test func aConfirmedBodyThatCannotBeRead() async throws {
    let tag = (name: "ETag", value: "\"a\"")
    origin.script(
      "/large", .response(fields: [("Cache-Control", "max-age=0"), tag], body: Self.large),
      .response(status: 304, fields: [tag]), .response(fields: [tag], body: Self.large))
    _ = try await session().data(for: try request("/large"))
    await Eventually.expect("It is kept.") { store.count == 1 }
    store.fail(at: 0)
    var again = try request("/large")
    again.timeoutInterval = 5
    #expect(try await session().data(for: again).0 == Self.large)
    #expect(origin.requests.map { $0.value("If-None-Match") } == [nil, "\"a\"", nil])
  }

  /// RFC 9111 §5.2.1.7: a 504, also where something was found that then could not be read.
  @Test func whatCannotBeReadIsNotThereForWhoAsksOnlyTheCache() async throws {
    serveLarge()
    _ = try await session().data(for: try request("/large"))
    await Eventually.expect("It is kept.") { store.count == 1 }
    store.fail(at: 0)
    var offline = try request("/large")
    offline.setValue("only-if-cached", forHTTPHeaderField: "Cache-Control")
    let (_, response) = try await session().data(for: offline)
    #expect((response as? HTTPURLResponse)?.statusCode == 504 && origin.requests.count == 1)
  }

  /// The newest counts (RFC 9111 §4), wherever it is.
  @Test func aBodyTooLargeForTheMemoryTakesThePlaceOfWhatIsThere() async throws {
    let fields = [(name: "Cache-Control", value: "max-age=600")]
    origin.script(
      "/large", .response(fields: fields, body: "old".utf8), .response(fields: fields, body: Self.large))
    let session = session()
    #expect(try await session.data(for: try request("/large")).0 == Data("old".utf8))
    await Eventually.expect("It is kept.") { store.length == 3 }
    var again = try request("/large")
    again.cachePolicy = .reloadIgnoringLocalCacheData
    #expect(try await session.data(for: again).0 == Self.large)
    await Eventually.expect("It is kept.") { store.length == Self.large.count }
    #expect(try await session.data(for: try request("/large")).0 == Self.large)
    #expect(origin.requests.count == 2)
  }

  /// What could not be written is told, and nothing older is left to be found.
  @Test(arguments: [3, 3_000_000]) func aStoreThatCannotWrite(length: Int) async throws {
    let fields = [(name: "Cache-Control", value: "max-age=600")]
    origin.script(
      "/large", .response(fields: fields, body: "old".utf8),
      .response(fields: fields, body: Self.large.prefix(length)))
    let session = session()
    let cache = try #require(session.configuration.urlCache)
    _ = try await session.data(for: try request("/large"))
    await Eventually.expect("It is kept.") { store.count == 1 }
    #expect(cache.lastStoreFailure == nil)
    store.refuse(.append)
    var again = try request("/large")
    again.cachePolicy = .reloadIgnoringLocalCacheData
    #expect(try await session.data(for: again).0 == Self.large.prefix(length))
    await Eventually.expect("It is told.") { cache.lastStoreFailure is SlowStore.Failure }
    await Eventually.expect("It is gone.") { store.count == 0 }
  }

  /// A store that breaks its promise to say how long a body is has none to hand out.
  @Test func aBodyOfUnknownLengthIsNotThere() async throws {
    serveLarge()
    _ = try await session().data(for: try request("/large"))
    await Eventually.expect("It is kept.") { store.count == 1 }
    store.forgetLengths()
    #expect(try await session().data(for: try request("/large")).0 == Self.large)
    #expect(origin.requests.count == 2)
  }
}
