// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetOrigin
import Testing

@Suite struct SendingTests {
  private let origin: Origin
  private let client: HTTPClient

  init() throws {
    origin = try Origin.start()
    client = try HTTPClient()
  }

  @Test func aGet() async throws {
    let response = try await client.send(
      .get(origin.baseURL + "/get?a=1#part", fields: ["X-Trace": "17", "X-Trace": "18"]))
    #expect(response.status == 200)
    #expect(response.head.reason == "OK")
    #expect(response.head.url == origin.baseURL + "/get?a=1#part")
    #expect(response.fields["content-type"]?.hasPrefix("application/json") == true)
    #expect(response.text.contains("\"a\""))
    #expect(response.trailers.isEmpty)
    let request = try #require(origin.requests.last)
    #expect(request.method == "GET")
    #expect(request.target == "/get?a=1")
    #expect(request.values("X-Trace") == ["17", "18"])
    #expect(request.value("User-Agent") == "Bluebonnet")
    #expect(request.value("Accept") == "*/*")
    #expect(request.value("Accept-Encoding") == "br, gzip, deflate")
    #expect(request.value("Content-Length") == nil)
  }

  @Test func aPost() async throws {
    let response = try await client.send(
      .post(origin.baseURL + "/post", fields: ["Content-Type": "text/plain"], body: .text("grüße")))
    #expect(response.status == 200)
    let request = try #require(origin.requests.last)
    #expect(request.body == Array("grüße".utf8))
    #expect(request.value("Content-Length") == "7")
    #expect(request.value("Content-Type") == "text/plain")
  }

  @Test func whatUsuallyHasContentSaysThatThereIsNone() async throws {
    _ = try await client.send(.post(origin.baseURL + "/post", body: .none))
    #expect(origin.requests.last?.value("Content-Length") == "0")
    _ = try await client.send(.post(origin.baseURL + "/post", body: .bytes([])))
    #expect(origin.requests.last?.value("Content-Length") == "0")
    #expect(origin.connectionCount == 1)
  }

  /// The length that is stated is that of another response (RFC 9110 §8.6).
  @Test func aLengthWithoutABodyIsNoBody() async throws {
    let head = "Content-Length: 999999999999999999\r\n\r\n"
    origin.script("/head", .text("HTTP/1.1 200 OK\r\n" + head))
    origin.script("/same", .text("HTTP/1.1 304 Not Modified\r\n" + head))
    for limit in [1_000, Int.max] {
      var configuration = HTTPClient.Configuration()
      configuration.maximumBodySize = limit
      let client = try HTTPClient(configuration)
      let headed = try await client.send(.init(origin.baseURL + "/head", method: "HEAD"))
      #expect(headed.body.isEmpty && headed.status == 200)
      let same = try await client.send(.get(origin.baseURL + "/same"))
      #expect(same.body.isEmpty && same.status == 304)
      #expect(try await client.stream(.get(origin.baseURL + "/same")).length == 0)
    }
  }

  /// What a server promises is no memory yet.
  @Test func anEndlessLengthTakesNoMemory() async throws {
    origin.script(
      "/much", .text("HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999\r\n\r\nfirst").then(.close))
    var configuration = HTTPClient.Configuration()
    configuration.maximumBodySize = .max
    let client = try HTTPClient(configuration)
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(.get(origin.baseURL + "/much"))
    }
    #expect(error?.code == .connectionLost)
  }

  @Test func aPartIsAskedForUncoded() async throws {
    _ = try await client.send(.get(origin.baseURL + "/get", fields: ["Range": "bytes=0-9"]))
    #expect(origin.requests.last?.value("Accept-Encoding") == "identity")
  }

  @Test func connectionsAreUsedAgain() async throws {
    for _ in 0..<5 { #expect(try await client.send(.get(origin.baseURL + "/get")).status == 200) }
    #expect(origin.connectionCount == 1)
    _ = try await client.send(.get(origin.baseURL + "/get", fields: ["Connection": "close"]))
    _ = try await client.send(.get(origin.baseURL + "/get"))
    #expect(origin.connectionCount == 2)
  }

  @Test func manyAtOnceShareTheConnectionsThatThereMayBe() async throws {
    var configuration = HTTPClient.Configuration()
    configuration.maximumConnectionsPerHost = 2
    let client = try HTTPClient(configuration)
    let url = origin.baseURL + "/bytes/1000"
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<30 { group.addTask { try await client.send(.get(url)).body.count } }
      for try await count in group { #expect(count == 1000) }
    }
    #expect(origin.connectionCount <= 2)
  }

  @Test func aHeadHasNoBody() async throws {
    let response = try await client.send(.init(origin.baseURL + "/get", method: "HEAD"))
    #expect(response.status == 200)
    #expect(response.body.isEmpty)
    #expect(response.fields["Content-Length"] != nil)
  }

  @Test(arguments: ["/gzip", "/deflate", "/brotli"])
  func contentIsDecoded(_ path: String) async throws {
    #expect(try await client.send(.get(origin.baseURL + path)).text.hasPrefix("{"))
    var configuration = HTTPClient.Configuration()
    configuration.decodesContent = false
    let plain = try HTTPClient(configuration)
    let response = try await plain.send(
      .get(origin.baseURL + path, fields: ["Accept-Encoding": "br, gzip, deflate"]))
    #expect(!response.text.hasPrefix("{"))
  }

  @Test func chunksAndTrailers() async throws {
    #expect(try await client.send(.get(origin.baseURL + "/chunked/20/1")).body.count == 20)
    origin.script(
      "/trailers",
      .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 532\r\n\r\n"))
    let response = try await client.send(.get(origin.baseURL + "/trailers"))
    #expect(response.text == "hello")
    #expect(response.trailers["x-sum"] == "532")
  }

  @Test func noStatusIsAnError() async throws {
    for status in [204, 304, 404, 503] {
      #expect(try await client.send(.get(origin.baseURL + "/status/\(status)")).status == status)
    }
  }

  @Test func aPasswordInTheURLIsSentAsBasic() async throws {
    let url = "http://user:secret@127.0.0.1:\(origin.port)/basic-auth/user/secret"
    #expect(try await client.send(.get(url)).status == 200)
    #expect(try await client.send(.get(url, fields: ["Authorization": "Bearer 1"])).status == 401)
  }

  @Test func withoutATask() throws {
    #expect(try client.sendBlocking(.get(origin.baseURL + "/get")).status == 200)
    #expect(throws: HTTPClientError.self) { try client.sendBlocking(.get("ftp://127.0.0.1/")) }
  }

  @Test func aBodyThatExpectsToBeWanted() async throws {
    let response = try await client.send(
      .post(origin.baseURL + "/post", fields: ["Expect": "100-continue"], body: .text("wanted")))
    #expect(response.status == 200)
    #expect(origin.requests.last?.body == Array("wanted".utf8))
  }

  @Test func throughASocketOfTheFileSystem() async throws {
    let path = "/tmp/bluebonnet-core-\(UInt64.random(in: .min ... .max))"
    let origin = try Origin.start(on: .unix(path: path))
    var configuration = HTTPClient.Configuration()
    configuration.unixSocketPath = path
    let client = try HTTPClient(configuration)
    #expect(try await client.send(.get("http://anywhere.example/get")).status == 200)
    #expect(origin.requests.last?.value("Host") == "anywhere.example")
  }
}
