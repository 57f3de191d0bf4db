// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetTestStores
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCache
@testable import BluebonnetURLLoading

/// The cache with a disk, or a store of the user's, behind its memory.
@Suite struct URLCacheTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func cache(memory: Int = 1_000_000, disk: Int = 10_000_000) -> URLCache {
    URLCache(memoryCapacity: memory, diskCapacity: disk, directory: folder.url)
  }

  private func request(_ name: String, _ fields: [String: String] = [:]) throws -> URLRequest {
    var request = URLRequest(url: try StoredSamples.url("http://example.org/\(name)"))
    request.allHTTPHeaderFields = fields
    return request
  }

  private func response(
    _ name: String, _ count: Int = 100, fields: [String: String] = ["ETag": "\"1\""],
    userInfo: [AnyHashable: Any]? = nil, _ policy: URLCache.StoragePolicy = .allowed
  ) throws -> CachedURLResponse {
    let url = try StoredSamples.url("http://example.org/\(name)")
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
    return CachedURLResponse(
      response: response, data: StoredSamples.body(count), userInfo: userInfo, storagePolicy: policy)
  }

  @Test(arguments: [0, 100, 20_000, 400_000]) func whatIsOnDiskOutlivesTheCache(count: Int) throws {
    let kept = try response("a", count, userInfo: ["a": 1])
    let first = cache()
    first.storeCachedResponse(kept, for: try request("a"))
    #expect(first.lastStoreFailure == nil)
    #expect(first.currentDiskUsage > 0)
    // What is too large for the memory, a twentieth of which is 50,000 bytes, comes from the disk.
    #expect(first.cachedResponse(for: try request("a"))?.data == kept.data)
    #expect((first.cachedResponse(for: try request("a"))?.userInfo?["a"] as? Int == 1) == (count < 50_000))
    let second = cache()
    #expect(second.currentMemoryUsage == 0 && second.currentDiskUsage == first.currentDiskUsage)
    let found = try #require(second.cachedResponse(for: try request("a")))
    #expect(found.data == kept.data && found.response == kept.response && found.userInfo == nil)
    #expect((second.currentMemoryUsage > 0) == (count < 50_000), "It is in memory from now on.")
    #expect(second.cachedResponse(for: try request("b")) == nil)
  }

  @Test func storagePoliciesAreKept() throws {
    let first = cache()
    first.storeCachedResponse(try response("memory", .allowedInMemoryOnly), for: try request("memory"))
    first.storeCachedResponse(try response("nowhere", .notAllowed), for: try request("nowhere"))
    #expect(first.cachedResponse(for: try request("memory"))?.storagePolicy == .allowedInMemoryOnly)
    #expect(first.cachedResponse(for: try request("nowhere")) == nil)
    #expect(folder.files.isEmpty)
    #expect(cache().cachedResponse(for: try request("memory")) == nil)
  }

  /// What is kept in memory only takes the place of its elder on disk, and of that alone.
  @Test(arguments: [100, 30_000]) func whatIsInMemoryOnlyLeavesNothingOlderOnDisk(count: Int) throws {
    let (first, fields) = (cache(), ["Vary": "X-Kind"])
    for kind in ["a", "b"] {
      first.storeCachedResponse(
        try response("x", count, fields: fields), for: try request("x", ["X-Kind": kind]))
    }
    let before = first.currentDiskUsage
    first.storeCachedResponse(
      try response("x", count, fields: fields, .allowedInMemoryOnly), for: try request("x", ["X-Kind": "a"]))
    #expect(first.cachedResponse(for: try request("x", ["X-Kind": "a"])) != nil)
    #expect(cache().cachedResponse(for: try request("x", ["X-Kind": "a"])) == nil)
    #expect(cache().cachedResponse(for: try request("x", ["X-Kind": "b"])) != nil)
    #expect(first.currentDiskUsage < before || count == 100)
    #expect(cache().currentDiskUsage == first.currentDiskUsage)
    first.storeCachedResponse(
      try response("x", count, fields: fields, .allowedInMemoryOnly), for: try request("x", ["X-Kind": "b"]))
    #expect(folder.files.isEmpty && first.currentDiskUsage == 0 && first.lastStoreFailure == nil)
  }

  private func response(_ name: String, _ policy: URLCache.StoragePolicy) throws -> CachedURLResponse {
    try response(name, 100, fields: [:], userInfo: nil, policy)
  }

  @Test func whatVariesIsToldApartOnDisk() throws {
    for language in ["de", "en"] {
      cache().storeCachedResponse(
        try response("a", fields: ["Vary": "Accept-Language", "X-Language": language]),
        for: try request("a", ["Accept-Language": language]))
    }
    for language in ["de", "en", "fr"] {
      let found = cache().cachedResponse(for: try request("a", ["Accept-Language": language]))
      let fields = (found?.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Language")
      #expect(fields == (language == "fr" ? nil : language))
    }
    #expect(
      cache().cachedResponse(for: try request("a", ["Accept-Language": "de", "Authorization": "x"])) == nil)
  }

  @Test func whatIsRemovedIsRemovedFromTheDisk() throws {
    let first = cache()
    for name in ["a", "b", "c"] { first.storeCachedResponse(try response(name), for: try request(name)) }
    first.removeCachedResponse(for: try request("a"))
    #expect(cache().cachedResponse(for: try request("a")) == nil)
    #expect(cache().cachedResponse(for: try request("b")) != nil)
    first.removeCachedResponses(since: .distantFuture)
    #expect(folder.files.count == 2)
    first.removeCachedResponses(since: .distantPast)
    #expect(folder.files.isEmpty && first.currentMemoryUsage == 0)
    first.storeCachedResponse(try response("a"), for: try request("a"))
    first.removeAllCachedResponses()
    #expect(folder.files.isEmpty)
    #expect(first.cachedResponse(for: try request("a")) == nil)
  }

  @Test func whatIsForgottenInTheBackgroundIsNotFoundAnyMore() async throws {
    let first = cache(memory: 0)
    for _ in 0..<20 {
      first.storeCachedResponse(try response("a", 30_000), for: try request("a"))
      #expect(first.cachedResponse(for: try request("a")) != nil)
      first.forget(try StoredSamples.url("http://example.org/a"))
      #expect(first.cachedResponse(for: try request("a")) == nil)
    }
    await Eventually.expect("it is removed") { [folder] in folder.files.isEmpty }
  }

  @Test func capacitiesAreReal() throws {
    let small = cache(memory: 0)
    for number in 0..<20 {
      small.storeCachedResponse(try response("\(number)", 20_000), for: try request("\(number)"))
    }
    #expect(small.currentMemoryUsage == 0 && small.currentDiskUsage > 400_000)
    small.diskCapacity = 100_000
    #expect(small.diskCapacity == 100_000 && small.currentDiskUsage <= 100_000)
    #expect(small.cachedResponse(for: try request("19")) != nil)
    #expect(small.cachedResponse(for: try request("0")) == nil)
    small.diskCapacity = 0
    #expect(folder.files.isEmpty && small.currentDiskUsage == 0)
    small.storeCachedResponse(try response("a"), for: try request("a"))
    #expect(folder.files.isEmpty && small.lastStoreFailure == nil)
    small.diskCapacity = 1_000_000
    small.storeCachedResponse(try response("a"), for: try request("a"))
    #expect(small.cachedResponse(for: try request("a")) != nil)
    #expect(small.currentDiskUsage == 4096)
  }

  @Test func aDirectoryThatCannotBeUsedIsSaid() throws {
    let nowhere = URLCache(memoryCapacity: 100_000, diskCapacity: 1_000_000, diskPath: "/proc/nowhere")
    nowhere.storeCachedResponse(try response("a"), for: try request("a"))
    #expect(
      nowhere.lastStoreFailure as? ResponseStoreError
        == .unusable(
          directory: "/proc/nowhere/\(StoreDirectory.name)", reason: "No such file or directory"))
    #expect(nowhere.cachedResponse(for: try request("a")) != nil, "It is in memory.")
    #expect(nowhere.currentDiskUsage == 0)
  }

  /// What could not be kept is not what was kept before it, either.
  @Test func whatCannotBeKeptTakesItsElderAlong() throws {
    let first = cache(memory: 0, disk: 1_000_000)
    first.storeCachedResponse(try response("a", 100), for: try request("a"))
    first.storeCachedResponse(try response("a", 60_000), for: try request("a"))
    #expect(first.lastStoreFailure as? ResponseStoreError == .tooLarge(limit: 50_000))
    #expect(first.cachedResponse(for: try request("a")) == nil)
  }

  @Test func placesForCaches() {
    func path(_ path: String?, _ environment: [String: String]) -> String {
      CachesDirectory.path(for: path) { environment[$0] }
    }
    let program = CommandLine.arguments[0].split(separator: "/").last ?? ""
    #expect(path("/var/cache/x", ["HOME": "/home/a"]) == "/var/cache/x")
    #expect(path(nil, ["HOME": "/home/a"]) == "/home/a/.cache/\(program)")
    #expect(path("", ["HOME": "/home/a"]) == "/home/a/.cache/\(program)")
    #expect(path("images", ["HOME": "/home/a", "XDG_CACHE_HOME": "/c"]) == "/c/\(program)/images")
    #expect(path("images", ["HOME": "/home/a", "XDG_CACHE_HOME": "c"]) == "/home/a/.cache/\(program)/images")
    #expect(path(nil, [:]).hasSuffix("/.cache/\(program)"))
  }

  // MARK: Stores of the user's

  /// A store in memory, as a user may write one, which can be told to fail.
  private final class Shared: ResponseStore {
    struct Failure: Error {}
    let kept = Locked<[StoredResponse.Key: [(head: Data, body: Data)]]>([:])
    let fails = Locked(false)
    let asked = Locked(0)

    func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader] {
      try await pass()
      asked.withLock { $0 += 1 }
      return try kept.withLock { $0[key] ?? [] }.map {
        Reader(response: try StoredResponse(encoded: $0.head), body: $0.body)
      }
    }

    func write(_ response: StoredResponse) async throws -> any StoredResponseWriter {
      try await pass()
      return Writer(response, self)
    }

    func update(_ response: StoredResponse) async throws -> Bool { false }

    func remove(_ key: StoredResponse.Key) async throws {
      try await pass()
      kept.withLock { $0[key] = nil }
    }

    func removeAll() async throws { kept.withLock { $0 = [:] } }

    private func pass() async throws {
      await Task.yield()
      if fails.withLock({ $0 }) { throw Failure() }
    }

    struct Reader: StoredResponseReader {
      let response: StoredResponse
      let body: Data
      func read(at offset: Int64) async throws -> Data { body.dropFirst(Int(offset)).prefix(1000) }
    }

    final class Writer: StoredResponseWriter {
      private let response: StoredResponse
      private let store: Shared
      private let body = Locked(Data())

      init(_ response: StoredResponse, _ store: Shared) {
        self.response = response
        self.store = store
      }

      func append(_ piece: Data) async throws { body.withLock { $0.append(piece) } }

      func commit() async throws {
        var head = response
        let body = body.withLock { $0 }
        head.bodyLength = Int64(body.count)
        let bytes = try head.encoded()
        store.kept.withLock { $0[head.key] = [(bytes, body)] }
      }

      func abandon() async {}
    }
  }

  @Test func aStoreOfTheUsers() throws {
    let store = Shared()
    let first = URLCache(memoryCapacity: 1_000_000, store: store)
    first.storeCachedResponse(try response("a", 5_500), for: try request("a"))
    #expect(first.cachedResponse(for: try request("a"))?.data == StoredSamples.body(5_500))
    #expect(store.asked.withLock { $0 } == 0, "The memory stands in front of it.")
    let second = URLCache(memoryCapacity: 1_000_000, store: store)
    #expect(second.cachedResponse(for: try request("a"))?.data == StoredSamples.body(5_500))
    #expect(second.cachedResponse(for: try request("a")) != nil && store.asked.withLock { $0 } == 1)
    #expect(second.diskCapacity == 0 && second.currentDiskUsage == 0)
    store.fails.withLock { $0 = true }
    second.storeCachedResponse(try response("b"), for: try request("b"))
    #expect(second.lastStoreFailure is Shared.Failure)
    #expect(second.cachedResponse(for: try request("c")) == nil)
    store.fails.withLock { $0 = false }
    second.removeCachedResponses(since: .distantFuture)
    #expect(store.kept.withLock { $0.isEmpty }, "A store that cannot tell by dates removes all.")
  }

  /// Threads of tasks that all wait for the store do not keep it from answering.
  @Test func waitingForAStoreNeedsNoThreadOfTasks() async throws {
    let store = Shared()
    let cache = URLCache(memoryCapacity: 0, store: store)
    cache.storeCachedResponse(try response("a"), for: try request("a"))
    let wanted = try request("a")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<64 { group.addTask { #expect(cache.cachedResponse(for: wanted) != nil) } }
    }
  }

  /// A subclass sees every question.
  @Test func itCanBeSubclassed() throws {
    final class Counting: URLCache, @unchecked Sendable {
      let count = Locked(0)
      override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        count.withLock { $0 += 1 }
        return super.cachedResponse(for: request)
      }
      override func removeCachedResponse(for request: URLRequest) {
        count.withLock { $0 += 10 }
        super.removeCachedResponse(for: request)
      }
    }
    let counting = Counting(memoryCapacity: 100_000, diskCapacity: 0, diskPath: nil)
    counting.storeCachedResponse(try response("a"), for: try request("a"))
    #expect(counting.cachedResponse(for: try request("a")) != nil)
    counting.forget(try StoredSamples.url("http://example.org/a"))
    #expect(counting.cachedResponse(for: try request("a")) == nil)
    #expect(counting.count.withLock { $0 } == 12)
  }

  // MARK: Of tasks

  private func found(_ cache: URLCache, _ task: URLSessionDataTask) async -> CachedURLResponse? {
    await withCheckedContinuation { continuation in
      cache.getCachedResponse(for: task) { continuation.resume(returning: $0) }
    }
  }

  /// A task stands for its current request, with the fields of which a response may vary.
  @Test(arguments: [0, 10_000_000]) func tasksStandForTheirRequests(disk: Int) async throws {
    let cache = cache(disk: disk)
    let session = URLSession(configuration: .ephemeral)
    let (de, en, other) = (
      session.dataTask(with: try request("a", ["Accept-Language": "de"])),
      session.dataTask(with: try request("a", ["Accept-Language": "en"])),
      session.dataTask(with: try request("b"))
    )
    let (kept, kept2) = (
      try response("a", 100, fields: ["Vary": "Accept-Language"]), try response("b", 50)
    )
    #expect(await found(cache, de) == nil)
    cache.storeCachedResponse(kept, for: de)
    cache.storeCachedResponse(kept2, for: other)
    #expect(await found(cache, de)?.data == kept.data)
    #expect(await found(cache, en) == nil)
    #expect(cache.cachedResponse(for: try request("a", ["Accept-Language": "de"]))?.data == kept.data)
    // What varies is forgotten as a whole.
    cache.removeCachedResponse(for: en)
    #expect(await found(cache, de) == nil)
    #expect(await found(cache, other)?.data == kept2.data)
    session.invalidateAndCancel()
  }

  @Test func aSubclassIsAskedForTasksToo() async throws {
    final class Noting: URLCache, @unchecked Sendable {
      let calls = Locked<[String]>([])

      override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        calls.withLock { $0.append("find \(request.url?.path ?? "")") }
        return nil
      }
      override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        calls.withLock { $0.append("store \(request.url?.path ?? "")") }
      }
      override func removeCachedResponse(for request: URLRequest) {
        calls.withLock { $0.append("remove \(request.url?.path ?? "")") }
      }
    }
    let cache = Noting(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
    let task = URLSession(configuration: .ephemeral).dataTask(with: try request("a"))
    cache.storeCachedResponse(try response("a"), for: task)
    #expect(await found(cache, task) == nil)
    cache.removeCachedResponse(for: task)
    #expect(cache.calls.withLock { $0 } == ["store /a", "find /a", "remove /a"])
  }
}
