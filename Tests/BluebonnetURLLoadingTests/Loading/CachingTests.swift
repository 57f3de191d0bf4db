import BluebonnetOrigin
import BluebonnetURLLoading
import Testing

/// What is kept of responses, and when it is served.
@Suite struct CachingTests {
  let origin: Origin
  let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
  let session: URLSession

  init() throws {
    origin = try Origin.start()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = cache
    session = URLSession(configuration: configuration)
  }

  private func request(
    _ path: String, _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy
  ) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: origin.baseURL + path)), cachePolicy: policy)
  }

  @Test func aKeptResponseIsServedWhereThePolicyAsksForIt() async throws {
    let (first, _) = try await session.data(for: try request("/get"))
    #expect(cache.cachedResponse(for: try request("/get"))?.data == first)
    for policy in [URLRequest.CachePolicy.returnCacheDataElseLoad, .returnCacheDataDontLoad] {
      let (again, response) = try await session.data(for: try request("/get", policy))
      #expect(again == first)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    #expect(origin.requests.count == 1)
  }

  @Test func otherwiseEveryLoadGoesToTheServer() async throws {
    for _ in 0..<2 { _ = try await session.data(for: try request("/get")) }
    _ = try await session.data(for: try request("/get", .reloadIgnoringLocalCacheData))
    #expect(origin.requests.count == 3)
  }

  @Test func whatIsNotKeptIsNotLoadedIfItMustNotBe() async throws {
    let wanted = try request("/get", .returnCacheDataDontLoad)
    let error = await #expect(throws: URLError.self) { try await session.data(for: wanted) }
    #expect(error?.code == .resourceUnavailable)
    #expect(origin.requests.isEmpty)
  }

  @Test(arguments: ["/status/404", "/response-headers?Cache-Control=no-store", "/bytes/100000"])
  func failuresSecretsAndLargeBodiesAreNotKept(path: String) async throws {
    _ = try await session.data(for: try request(path))
    #expect(cache.cachedResponse(for: try request(path)) == nil)
  }

  @Test func theCacheCountsWhatItHolds() throws {
    let url = try #require(URL(string: "http://example.org/"))
    let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 3, textEncodingName: nil)
    let small = URLCache(memoryCapacity: 100, diskCapacity: 0, diskPath: nil)
    for number in 0..<40 {
      let place = try #require(URL(string: "http://example.org/\(number)"))
      let entry = CachedURLResponse(response: response, data: Data(count: 5))
      small.storeCachedResponse(entry, for: URLRequest(url: place))
      #expect(small.currentMemoryUsage <= 100)
    }
    #expect(small.currentMemoryUsage == 100)
    small.removeAllCachedResponses()
    #expect(small.currentMemoryUsage == 0)
  }
}
