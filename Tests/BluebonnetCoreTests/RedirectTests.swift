// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetOrigin
import Testing

@Suite struct RedirectTests {
  private let origin: Origin
  private let client: HTTPClient

  init() throws {
    origin = try Origin.start()
    client = try HTTPClient()
  }

  private func script(_ path: String, _ status: Int, to location: String, on origin: Origin) {
    origin.script(
      path, .text("HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\nContent-Length: 4\r\n\r\nover"))
  }

  @Test func theyAreFollowed() async throws {
    let response = try await client.send(.get(origin.baseURL + "/redirect/10"))
    #expect(response.status == 200)
    #expect(response.head.url == origin.baseURL + "/get")
    #expect(origin.requests.count == 11)
    #expect(origin.connectionCount == 1)
  }

  @Test func upToALimit() async throws {
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(.get(origin.baseURL + "/redirect/11"))
    }
    #expect(error?.code == .tooManyRedirects)
    #expect(error?.fault == .server)
    var configuration = HTTPClient.Configuration()
    configuration.maximumRedirects = 0
    #expect(try await HTTPClient(configuration).send(.get(origin.baseURL + "/redirect/1")).status == 302)
  }

  @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func methodAndBody(_ status: Int, _ method: String) async throws {
    script("/old", status, to: "/\(method.lowercased())", on: origin)
    let response = try await client.send(
      .post(origin.baseURL + "/old", fields: ["Content-Type": "text/plain"], body: .text("content")))
    #expect(response.status == 200)
    let last = try #require(origin.requests.last)
    #expect(last.method == method)
    #expect(last.body == (method == "POST" ? Array("content".utf8) : []))
    #expect((last.value("Content-Type") != nil) == (method == "POST"))
    #expect(last.value("Content-Length") == (method == "POST" ? "7" : nil))
  }

  @Test func otherOriginsSeeNoSecrets() async throws {
    let other = try Origin.start()
    script("/away", 307, to: other.baseURL + "/get", on: origin)
    script("/near", 307, to: "/get", on: origin)
    let secrets: HTTPClient.Fields = ["Authorization": "Bearer 1", "Cookie": "a=b", "X-Trace": "17"]
    _ = try await client.send(.get(origin.baseURL + "/near", fields: secrets))
    #expect(origin.requests.last?.value("Authorization") == "Bearer 1")
    #expect(origin.requests.last?.value("Cookie") == "a=b")
    _ = try await client.send(.get(origin.baseURL + "/away", fields: secrets))
    let seen = try #require(other.requests.last)
    #expect(seen.value("Authorization") == nil)
    #expect(seen.value("Cookie") == nil)
    #expect(seen.value("X-Trace") == "17")
    _ = try await client.send(.get("http://user:secret@127.0.0.1:\(origin.port)/away"))
    #expect(other.requests.last?.value("Authorization") == nil)
  }

  @Test(arguments: ["ftp://127.0.0.1/", "http://", "mailto:a@b"])
  func nowhere(_ location: String) async {
    script("/lost", 302, to: location, on: origin)
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(.get(origin.baseURL + "/lost"))
    }
    #expect(error?.code == .invalidRedirect)
    #expect(error?.fault == .server)
  }

  @Test func notFromHTTPSToHTTP() async throws {
    let secure = try Origin.start(security: .tls)
    script("/down", 302, to: origin.baseURL + "/get", on: secure)
    var configuration = HTTPClient.Configuration()
    configuration.trust = .pem(try #require(secure.authority))
    let client = try HTTPClient(configuration)
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(.get(secure.baseURL + "/down"))
    }
    #expect(error?.code == .invalidRedirect)
    #expect(origin.requests.isEmpty)
  }

  @Test func aLargeBodyIsNotReadForTheSakeOfAConnection() async throws {
    origin.script(
      "/large",
      ScriptedReply([
        .bytes(Array("HTTP/1.1 302 Found\r\nLocation: /get\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)),
        .repeating(Array("8\r\nfillings\r\n".utf8), count: nil),
      ]))
    #expect(try await client.send(.get(origin.baseURL + "/large")).status == 200)
    origin.script(
      "/silent",
      .text("HTTP/1.1 302 Found\r\nLocation: /get\r\nTransfer-Encoding: chunked\r\n\r\n").then(.hang))
    #expect(try await client.send(.get(origin.baseURL + "/silent")).status == 200)
  }
}
