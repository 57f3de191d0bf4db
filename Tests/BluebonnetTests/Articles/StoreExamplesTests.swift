// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import Testing

@testable import Bluebonnet

/// The code of the article *Keeping responses* does what it says.
@Suite struct StoreExamplesTests {
  /// A server that two sessions share.
  private final class Server: Valkey {
    private let hashes = Locked<[String: [String: Data]]>([:])
    private let values = Locked<[String: Data]>([:])

    func hgetall(_ key: String) async throws -> [String: Data] { hashes.withLock { $0[key] ?? [:] } }

    func hset(_ key: String, _ field: String, _ value: Data) async throws {
      hashes.withLock { $0[key, default: [:]][field] = value }
    }

    func set(_ key: String, _ value: Data, secondsToLive: Int) async throws {
      values.withLock { $0[key] = value }
    }

    func getrange(_ key: String, _ range: Range<Int64>) async throws -> Data {
      values.withLock { $0[key]?.dropFirst(Int(range.lowerBound)).prefix(range.count) ?? Data() }
    }

    func del(_ key: String) async throws { hashes.withLock { $0[key] = nil } }

    func flushdb() async throws {
      hashes.withLock { $0 = [:] }
      values.withLock { $0 = [:] }
    }
  }

  private func response(_ name: String, _ body: Data, tag: String = "\"1\"") throws -> CachedURLResponse {
    let url = try #require(URL(string: "http://example.org/\(name)"))
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["ETag": tag]))
    return CachedURLResponse(response: response, data: body)
  }

  private func request(_ name: String) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: "http://example.org/\(name)")))
  }

  @Test func machinesShareAStore() async throws {
    let server = Server()
    let (one, other) = (session(sharingThrough: server), session(sharingThrough: server))
    let (first, second) = (
      try #require(one.sessionConfiguration.urlCache), try #require(other.sessionConfiguration.urlCache)
    )
    let body = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
    first.storeCachedResponse(try response("a", body), for: try request("a"))
    StoreExamples.failures(of: first)
    #expect(first.lastStoreFailure == nil)
    #expect(second.cachedResponse(for: try request("a"))?.data == body)
    first.storeCachedResponse(try response("b", Data(count: 50_000_001)), for: try request("b"))
    #expect(first.lastStoreFailure as? ResponseStoreError == .tooLarge(limit: 50_000_000))
    first.removeCachedResponse(for: try request("a"))
    let third = URLCache(memoryCapacity: 0, store: ValkeyStore(valkey: server))
    #expect(third.cachedResponse(for: try request("a")) == nil)
  }

  @Test func headsAreUpdated() async throws {
    let store = ValkeyStore(valkey: Server())
    let url = try #require(URL(string: "http://example.org/"))
    var head = StoredResponse(
      key: .init(method: "GET", target: url.absoluteString), url: url, status: 200,
      fields: [.init(name: "ETag", value: "\"1\"")], requestTime: Date(), responseTime: Date())
    let writer = try await store.write(head)
    try await writer.append(Data("abc".utf8))
    #expect(try await store.responses(for: head.key).isEmpty)
    try await writer.commit()
    head.bodyLength = 3
    head.fields = [.init(name: "ETag", value: "\"2\"")]
    #expect(try await store.update(head))
    let found = try #require(try await store.responses(for: head.key).first)
    #expect(found.response.fields == head.fields)
    #expect(try await found.read(at: 1) == Data("bc".utf8))
    try await store.removeAll()
    #expect(try await store.responses(for: head.key).isEmpty)
    #expect(try await !store.update(head))
    await #expect(throws: ResponseStoreError.self) { try await found.read(at: 0) }
  }
}
