// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// What a session's cache makes of servers that nobody here wrote. The origin behind nginx counts its answers: the same
/// number twice is the same answer.
@Suite(.enabled(if: RealServer.nginx.isPresent, "nginx does not run"))
struct CacheServersTests {
  private struct Answer: Decodable { let serial: Int }

  private let session: Session = {
    let configuration = URLSessionConfiguration.ephemeral
    // A response may take a twentieth of it, and the largest here has 3 MB.
    configuration.urlCache = URLCache(memoryCapacity: 64 << 20, diskCapacity: 0)
    configuration.timeoutIntervalForRequest = 20
    return Session(configuration: configuration)
  }()

  private func serial(
    _ path: String, method: HTTPMethod = .get, headers: HTTPHeaders? = nil,
    policy: URLRequest.CachePolicy = .useProtocolCachePolicy
  ) async throws -> Int {
    let url = try RealServer.nginx.url(path)
    let response = await session.request(url, method: method, headers: headers) { $0.cachePolicy = policy }
      .serializingDecodable(Answer.self).response
    return try response.result.get().serial
  }

  @Test func whatIsFreshIsNotAskedForAgain() async throws {
    let url = try RealServer.nginx.url("/fresh/1")
    let first = await session.request(url).serializingData().response
    let second = await session.request(url).serializingData().response
    #expect(first.data != nil && first.data == second.data)
    #expect(second.metrics?.transactionMetrics.last?.resourceFetchType == .localCache)
    #expect(second.response?.headers.value(for: "Age") != nil)
    #expect(second.response?.headers.value(for: "Cache-Status")?.contains("hit") == true)
  }

  @Test func whatMustNotBeStoredIsAskedForAgain() async throws {
    let first = try await serial("/unstored/1")
    #expect(try await serial("/unstored/1") != first)
  }

  @Test func eachVariantIsStored() async throws {
    let sweet = try await serial("/varying/1", headers: ["X-Flavour": "sweet"])
    let sour = try await serial("/varying/1", headers: ["X-Flavour": "sour"])
    #expect(sweet != sour)
    #expect(try await serial("/varying/1", headers: ["X-Flavour": "sour"]) == sour)
    #expect(try await serial("/varying/1", headers: ["X-Flavour": "sweet"]) == sweet)
  }

  @Test func aPostInvalidatesWhatIsStored() async throws {
    let first = try await serial("/fresh/2")
    #expect(try await serial("/fresh/2") == first)
    _ = try await serial("/fresh/2", method: .post)
    #expect(try await serial("/fresh/2") != first)
  }

  @Test func policiesOfRequests() async throws {
    let first = try await serial("/fresh/3")
    let second = try await serial("/fresh/3", policy: .reloadIgnoringLocalCacheData)
    #expect(second != first)
    #expect(try await serial("/fresh/3", policy: .returnCacheDataDontLoad) == second)
    await #expect(throws: AFError.self) { try await serial("/fresh/4", policy: .returnCacheDataDontLoad) }
    #expect(try await serial("/fresh/3", headers: ["Cache-Control": "no-cache"]) != second)
  }

  /// RFC 5861 §3: the stale one is served, and a newer one fetched for the next.
  @Test func whatIsStaleIsServedWhileItIsFetchedAnew() async throws {
    let first = try await serial("/stale/1")
    #expect(try await serial("/stale/1") == first)
    for _ in 0..<500 where try await serial("/stale/1") == first {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try await serial("/stale/1") != first)
  }

  /// The tags and dates of real servers: a 304 brings no body, and the stored one is served.
  @Test(arguments: [RealServer.nginx, .apache], ["text.txt", "random.bin", "zero.txt"])
  func aServerIsAskedWhetherItHasChanged(server: RealServer, name: String) async throws {
    let url = try server.url("/validated/\(name)")
    let first = await session.request(url).serializingData(emptyResponseCodes: [200]).response
    let second = await session.request(url).serializingData(emptyResponseCodes: [200]).response
    #expect(first.response?.statusCode == 200 && second.response?.statusCode == 200)
    #expect(first.data == second.data)
    let transactions = second.metrics?.transactionMetrics ?? []
    let statuses = transactions.compactMap { ($0.response as? HTTPURLResponse)?.statusCode }
    #expect(transactions.contains { $0.resourceFetchType == .networkLoad }, "\(statuses)")
    #expect(transactions.reduce(0) { $0 + $1.countOfResponseBodyBytesReceived } == 0)
  }

  /// Without a lifetime, a file that has not changed for long is fresh for a tenth of that (RFC 9111 §4.2.2).
  @Test(arguments: [RealServer.nginx, .apache]) func whatSaysNothingIsFreshByItsAge(server: RealServer)
    async throws
  {
    let url = try server.url("/data.json")
    _ = await session.request(url).serializingData().response
    let second = await session.request(url).serializingData().response
    #expect(second.metrics?.transactionMetrics.last?.resourceFetchType == .localCache)
  }

  @Test func aChangedFileIsFetchedAnew() async throws {
    let url = try RealServer.nginx.url("/stored/\(UUID().uuidString).txt")
    for text in ["first", "the second"] {
      let stored = await session.upload(Data(text.utf8), to: url, method: .put)
        .serializingData(emptyResponseCodes: [201, 204]).response
      #expect(stored.error == nil)
      for _ in 0..<2 {
        let response = await session.request(url) {
          $0.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
        }
        .serializingString().response
        #expect(response.value == text)
      }
    }
  }

  @Test func aStoredWholeAnswersARange() async throws {
    let url = try RealServer.nginx.url("/random.bin")
    let whole = try #require(await session.request(url).serializingData().response.data)
    let part = await session.request(url, headers: ["Range": "bytes=1000-1999"]).serializingData().response
    #expect(part.response?.statusCode == 206 && part.data == whole[1000...1999])
  }
}
