// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

/// What is kept of responses, and when it is served.
@Suite struct CachingTests {
  let origin: Origin
  let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
  let session: URLSession

  init() {
    origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
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

  @Test func aResponseThatVariesByThousandsOfFieldsIsNotKept() throws {
    let wanted = try request("/get")
    let url = try #require(wanted.url)
    for (count, isKept) in [(32, true), (33, false), (15_000, false)] {
      let vary = (0..<count).map { "f\($0)" }.joined(separator: ",")
      let response = try #require(
        HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Vary": vary]))
      cache.removeAllCachedResponses()
      cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("a".utf8)), for: wanted)
      #expect((cache.cachedResponse(for: wanted) != nil) == isKept)
    }
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

  @Test(arguments: ["*", "Accept;q=1", "a, *", "a b"]) func whatVariesByNoFieldIsNotKept(vary: String) throws
  {
    let wanted = try request("/get")
    let url = try #require(wanted.url)
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Vary": vary]))
    cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("a".utf8)), for: wanted)
    #expect(cache.cachedResponse(for: wanted) == nil)
  }

  @Test func headsCountToo() throws {
    let small = URLCache(memoryCapacity: 100_000, diskCapacity: 0, diskPath: nil)
    for number in 0..<40 {
      let url = try #require(URL(string: "http://example.org/\(number)"))
      let fields = ["X-Long": String(repeating: "a", count: 30_000)]
      let response = try #require(
        HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
      small.storeCachedResponse(
        CachedURLResponse(response: response, data: Data()), for: URLRequest(url: url))
      #expect(small.currentMemoryUsage <= 100_000)
    }
    #expect(small.currentMemoryUsage > 60_000)
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

  private func keep(_ path: String, _ fields: [String: String] = [:]) async throws -> String {
    var request = try request(path)
    request.allHTTPHeaderFields = fields
    return String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }

  /// What is kept for the request, without a load.
  private func kept(
    _ path: String, _ fields: [String: String] = [:], method: String = "GET"
  ) async throws -> String? {
    var request = try request(path, .returnCacheDataDontLoad)
    request.allHTTPHeaderFields = fields
    request.httpMethod = method
    return try? String(decoding: await session.data(for: request).0, as: UTF8.self)
  }

  /// A HEAD is answered with the head (RFC 9111 §4); the cache itself is asked for what is kept under the method.
  @Test(arguments: ["POST", "PUT", "HEAD", "DELETE", "OPTIONS"])
  func nothingButGetAndHeadIsAnsweredByAKeptGet(method: String) async throws {
    _ = try await keep("/get")
    #expect(try await kept("/get") != nil)
    #expect(try await kept("/get", method: method) == (method == "HEAD" ? "" : nil))
    #expect(origin.requests.count == 1)
    var request = try request("/get")
    request.httpMethod = method
    #expect(cache.cachedResponse(for: request) == nil)
  }

  @Test func nobodyIsAnsweredWithWhatAnotherWasShown() async throws {
    let mine = ["Authorization": "Bearer mine"]
    _ = try await keep("/get", mine)
    #expect(try await kept("/get", mine)?.contains("mine") == true)
    #expect(try await kept("/get", ["Authorization": "Bearer yours"]) == nil)
    #expect(try await kept("/get") == nil)
    _ = try await keep("/get")
    #expect(try await kept("/get")?.contains("mine") == false)
    #expect(try await kept("/get", mine)?.contains("mine") == true)
  }

  /// Two sessions over one cache, each with an `Authorization` of its own.
  @Test func sessionsThatShareACacheKeepTheirSecrets() async throws {
    func session(_ token: String) -> URLSession {
      let configuration = URLSessionConfiguration.inMemory
      configuration.urlCache = cache
      configuration.httpAdditionalHeaders = ["Authorization": token]
      return URLSession(configuration: configuration)
    }
    _ = try await session("one").data(for: try request("/get"))
    let wanted = try request("/get", .returnCacheDataDontLoad)
    await #expect(throws: URLError.self) { try await session("two").data(for: wanted) }
    await #expect(throws: URLError.self) { try await self.session.data(for: wanted) }
    _ = try await session("one").data(for: wanted)
    #expect(origin.requests.count == 1)
  }

  @Test func userInformationIsSomebodysAuthorization() async throws {
    func request(_ information: String, _ policy: URLRequest.CachePolicy) throws -> URLRequest {
      let text = "http://\(information)127.0.0.1:\(origin.port)/get"
      return URLRequest(url: try #require(URL(string: text)), cachePolicy: policy)
    }
    _ = try await session.data(for: try request("me:secret@", .useProtocolCachePolicy))
    for other in ["", "you:secret@", "me:guess@"] {
      let wanted = try request(other, .returnCacheDataDontLoad)
      await #expect(throws: URLError.self) { try await session.data(for: wanted) }
    }
    _ = try await session.data(for: try request("me:secret@", .returnCacheDataDontLoad))
    #expect(origin.requests.count == 1)
  }

  @Test func whatVariesIsToldApart() async throws {
    origin.handle("/vary") { request in
      .response(
        fields: [("Vary", "Accept-Language, X-Kind")],
        body: "\(request.value("Accept-Language") ?? "-") \(request.value("X-Kind") ?? "-")".utf8)
    }
    #expect(try await keep("/vary", ["Accept-Language": "de"]) == "de -")
    #expect(try await keep("/vary", ["Accept-Language": "en", "X-Kind": "b"]) == "en b")
    #expect(try await kept("/vary", ["accept-language": "de"]) == "de -")
    #expect(try await kept("/vary", ["Accept-Language": "en", "X-Kind": "b"]) == "en b")
    #expect(try await kept("/vary", ["Accept-Language": "en"]) == nil)
    #expect(try await kept("/vary") == nil)
    #expect(origin.requests.count == 2)
  }

  @Test func whatVariesByEverythingIsNotKept() async throws {
    origin.script("/star", .response(fields: [("Vary", "*")], body: "x".utf8))
    _ = try await keep("/star")
    #expect(try await kept("/star") == nil)
  }

  /// RFC 9111 §4.4.
  @Test(arguments: ["PUT", "POST", "DELETE", "PATCH", "UNKNOWN"])
  func whatChangesAResourceForgetsWhatIsKeptOfIt(method: String) async throws {
    for path in ["/a?x", "/b", "/c"] { origin.script(path, .response(body: "old".utf8)) }
    for path in ["/a?x", "/b", "/c"] { _ = try await keep(path) }
    origin.script("/a?x", .response(status: 200, fields: [("Content-Location", "/b")]))
    var change = try request("/a?x")
    change.httpMethod = method
    _ = try await session.data(for: change)
    #expect(try await kept("/a?x") == nil)
    #expect(try await kept("/b") == nil)
    #expect(try await kept("/c") == "old")
  }

  @Test func aChangeThatFailedForgetsNothing() async throws {
    origin.script("/a", .response(body: "old".utf8), .response(status: 403))
    _ = try await keep("/a")
    var change = try request("/a")
    change.httpMethod = "PUT"
    _ = try await session.data(for: change)
    #expect(try await kept("/a") == "old")
  }

  /// Spellings of one address are one key; a fragment is no part of it.
  @Test func oneAddressIsOneKey() async throws {
    _ = try await keep("/get")
    for text in ["HTTP://127.0.0.1.:\(origin.port)/get#part", "http://127.1:\(origin.port)/get"] {
      let wanted = URLRequest(
        url: try #require(URL(string: text)), cachePolicy: .returnCacheDataDontLoad)
      _ = try await session.data(for: wanted)
    }
    #expect(origin.requests.count == 1)
  }

  @Test func entriesWithoutABodyAreLimitedToo() throws {
    let small = URLCache(memoryCapacity: 1000, diskCapacity: 0, diskPath: nil)
    let first = URLRequest(url: try #require(URL(string: "http://example.org/0")))
    for number in 0..<5000 {
      let url = try #require(URL(string: "http://example.org/\(number)"))
      let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
      small.storeCachedResponse(
        CachedURLResponse(response: response, data: Data()), for: URLRequest(url: url))
    }
    #expect(small.cachedResponse(for: first) == nil)
  }
}
