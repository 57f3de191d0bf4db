// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestStores
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What a session writes, and lets go of, when it is told to flush.
@Suite struct FlushTests {
  private let origin = Origin.inMemory()
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func flush(_ session: URLSession) async {
    await withCheckedContinuation { continuation in
      session.flush {
        #expect(OperationQueue.current === session.delegateQueue)
        continuation.resume()
      }
    }
  }

  private func load(_ path: String, _ session: URLSession) async throws {
    _ = try await session.data(from: try #require(URL(string: origin.baseURL + path)))
  }

  private func cache() -> URLCache {
    URLCache(memoryCapacity: 1_000_000, diskCapacity: 10_000_000, directory: folder.url)
  }

  @Test func responsesAreOnDisk() async throws {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = cache()
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let body = Data(repeating: 7, count: 20_000)
    for number in 0..<20 {
      origin.script("/\(number)", .response(fields: [("Cache-Control", "max-age=600")], body: body))
      try await load("/\(number)", session)
    }
    await flush(session)
    let later = cache()
    for number in 0..<20 {
      let url = try #require(URL(string: origin.baseURL + "/\(number)"))
      #expect(later.cachedResponse(for: URLRequest(url: url))?.data == body)
    }
  }

  /// However slow it is.
  @Test func aStoreIsWaitedFor() async throws {
    let store = SlowStore()
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = URLCache(memoryCapacity: 1_000_000, store: store)
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    origin.script("/kept", .response(fields: [("Cache-Control", "max-age=600")], body: "kept".utf8))
    store.hold(.commit)
    try await load("/kept", session)
    await Eventually.expect("it is being written") { store.isHolding }
    let isFlushed = Locked(false)
    session.flush {
      #expect(store.count == 1)
      isFlushed.withLock { $0 = true }
    }
    // Time to call back, were nothing waited for.
    for _ in 0..<3 { try await load("/get", session) }
    #expect(!isFlushed.withLock { $0 })
    store.letGo()
    await Eventually.expect("it has called back") { isFlushed.withLock { $0 } }
  }

  /// What could not be written is written by the next flush, though nothing has changed.
  @Test func cookiesThatCouldNotBeWrittenAreNotForgotten() async throws {
    let place = folder.url.appendingPathComponent("nowhere")
    let file = place.appendingPathComponent("cookies.txt")
    let configuration = URLSessionConfiguration.inMemory
    let storage = try HTTPCookieStorage(file: file)
    configuration.httpCookieStorage = storage
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    origin.script("/set", .response(fields: [("Set-Cookie", "a=b; Max-Age=1000")]))
    try await load("/set", session)
    await flush(session)
    #expect(storage.lastSaveError as? POSIXError == POSIXError(.ENOENT))
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    await flush(session)
    #expect(storage.lastSaveError == nil)
    #expect(try CookieFile(contentsOf: file).cookies.map(\.name) == ["a"])
  }

  @Test func cookiesAreInTheirFile() async throws {
    let file = folder.url.appendingPathComponent("cookies.txt")
    let configuration = URLSessionConfiguration.inMemory
    configuration.httpCookieStorage = try HTTPCookieStorage(file: file)
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    origin.script("/set", .response(fields: [("Set-Cookie", "a=b; Max-Age=1000")]))
    try await load("/set", session)
    await flush(session)
    #expect(try CookieFile(contentsOf: file).cookies.map(\.name) == ["a"])
    // Nothing has changed since: another process's file is left alone.
    try Data("# Netscape HTTP Cookie File\n".utf8).write(to: file)
    await flush(session)
    #expect(try CookieFile(contentsOf: file).cookies.isEmpty)
  }

  @Test func laterRequestsGoOverNewConnections() async throws {
    let configuration = URLSessionConfiguration.inMemory
    configuration.timeoutIntervalForIdleConnections = 600
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    for _ in 0..<2 { try await load("/get", session) }
    #expect(origin.connectionCount == 1)
    await flush(session)
    try await load("/get", session)
    #expect(origin.connectionCount == 2)
  }

  /// Nobody waits for ever where there is nothing to write.
  @Test(.timeLimit(.minutes(5))) func withoutStorages() async {
    let configuration = URLSessionConfiguration.inMemory
    (configuration.urlCache, configuration.httpCookieStorage) = (nil, nil)
    let session = URLSession(configuration: configuration)
    await flush(session)
    session.invalidateAndCancel()
    await flush(session)
  }
}
