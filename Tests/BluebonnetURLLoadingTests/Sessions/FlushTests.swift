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
        #expect(session.isOnDelegateQueue)
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

  private func session(storingIn store: SlowStore) -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = URLCache(memoryCapacity: 1_000_000, store: store)
    return URLSession(configuration: configuration)
  }

  /// However slow it is.
  @Test func aStoreIsWaitedFor() async throws {
    let store = SlowStore()
    let session = session(storingIn: store)
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

  // MARK: Many at once

  /// Every handler is called, once, while responses go on being stored.
  @Test func manyFlushesWhileResponsesAreStored() async throws {
    let file = folder.url.appendingPathComponent("cookies.txt")
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = cache()
    configuration.httpCookieStorage = try HTTPCookieStorage(file: file)
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    origin.handle("/kept/*") { request in
      let number = request.path.dropFirst("/kept/".count)
      return .response(
        fields: [("Cache-Control", "max-age=600"), ("Set-Cookie", "c\(number)=1; Path=/; Max-Age=600")],
        body: request.path.utf8)
    }
    let calls = Locked([Int](repeating: 0, count: 200))
    let note: @Sendable (Int) -> Void = { number in calls.withLock { $0[number] += 1 } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 { group.addTask { try await load("/kept/\(number)", session) } }
      for number in 0..<200 {
        group.addTask {
          await withCheckedContinuation { continuation in
            session.flush {
              note(number)
              continuation.resume()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    await flush(session)
    #expect(calls.withLock { $0.allSatisfy { $0 == 1 } })
    let later = cache()
    for number in 0..<50 {
      let url = try #require(URL(string: origin.baseURL + "/kept/\(number)"))
      #expect(later.cachedResponse(for: URLRequest(url: url))?.data == Data("/kept/\(number)".utf8))
    }
    #expect(try CookieFile(contentsOf: file).cookies.count == 50)
  }

  @Test(.timeLimit(.minutes(5))) func aHandlerMayFlush() async {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = cache()
    let session = URLSession(configuration: configuration)
    @Sendable func flush(_ left: Int, _ done: CheckedContinuation<Void, Never>) {
      session.flush {
        #expect(session.isOnDelegateQueue)
        if left > 0 { flush(left - 1, done) } else { done.resume() }
      }
    }
    await withCheckedContinuation { flush(100, $0) }
    // The session goes in between.
    await withCheckedContinuation { done in
      session.flush {
        session.invalidateAndCancel()
        flush(10, done)
      }
    }
  }

  /// A flush waits for responses before it, and not for those that come meanwhile, however many: no load can hold it up.
  @Test func laterResponsesAreNotWaitedFor() async throws {
    let store = SlowStore()
    let session = session(storingIn: store)
    defer { session.invalidateAndCancel() }
    origin.handle("/kept/*") { .response(fields: [("Cache-Control", "max-age=600")], body: $0.path.utf8) }
    store.hold(.commit)
    try await load("/kept/first", session)
    await Eventually.expect("it is being written") { store.isHolding }
    let flushed = Locked<Int?>(nil)
    session.flush { flushed.withLock { $0 = store.commits } }
    // It takes its place among the changes on the loop, by which these come.
    try await load("/get", session)
    for number in 0..<50 { try await load("/kept/\(number)", session) }
    // And from memory, without the store.
    for number in 0..<50 { try await load("/kept/\(number)", session) }
    #expect(flushed.withLock { $0 } == nil && origin.requests.count == 52)
    // The next one to be written is stuck, too.
    store.hold(.commit)
    store.letGo()
    await Eventually.expect("it has called back") { flushed.withLock { $0 } != nil }
    #expect(flushed.withLock { $0 } == 1)
    await Eventually.expect("the next is being written") { store.isHolding }
    store.letGo()
    await flush(session)
    #expect(store.count == 52)
  }

  /// What a session has loaded is written, though it takes no more tasks.
  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func anInvalidSessionFlushes(isFirst: Bool) async throws {
    let file = folder.url.appendingPathComponent("cookies.txt")
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = cache()
    configuration.httpCookieStorage = try HTTPCookieStorage(file: file)
    let session = URLSession(configuration: configuration)
    origin.script(
      "/kept",
      .response(
        fields: [("Cache-Control", "max-age=600"), ("Set-Cookie", "a=b; Max-Age=1000")], body: "kept".utf8))
    try await load("/kept", session)
    if isFirst { session.invalidateAndCancel() }
    await withCheckedContinuation { continuation in
      session.flush { continuation.resume() }
      if !isFirst { session.invalidateAndCancel() }
    }
    let url = try #require(URL(string: origin.baseURL + "/kept"))
    #expect(cache().cachedResponse(for: URLRequest(url: url))?.data == Data("kept".utf8))
    #expect(try CookieFile(contentsOf: file).cookies.map(\.name) == ["a"])
    await Eventually.expect("nothing is left") { origin.openConnections == 0 }
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
