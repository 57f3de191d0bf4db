// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetOrigin
import Testing

/// What must not be sent is refused before anything is connected.
@Suite struct RefusalTests {
  private let origin: Origin
  private let client: HTTPClient

  init() throws {
    origin = try Origin.start()
    client = try HTTPClient()
  }

  private func refusal(of request: HTTPClient.Request) async -> HTTPClientError? {
    let error = await #expect(throws: HTTPClientError.self) { try await client.send(request) }
    await #expect(throws: HTTPClientError.self) { try await client.stream(request) }
    #expect(error?.fault == .caller)
    #expect(error?.phase == .preparing)
    #expect(origin.connectionCount == 0)
    return error
  }

  @Test(arguments: [
    "", "/get", "127.0.0.1", "http:", "http://", "http:///get", "http://a b/", "http://127.0.0.1:70000/",
    "http://127.0.0.1:x/", "http://[::1/", "http://127.0.0.1/\r\nX: 1", "http://127.0.0.1/a b",
    "http://127.0.0.1\\@example.org/", "http://127.0.0.1/\u{0}", "http://127.0.0.1/\u{7F}",
    "http://127.0.0.1/\"",
  ])
  func urls(_ url: String) async {
    let code = await refusal(of: .get(url))?.code
    #expect(code == .invalidURL || code == .unsupportedScheme)
  }

  @Test(arguments: [
    "ftp://127.0.0.1/", "ws://127.0.0.1/", "wss://127.0.0.1/", "file:///etc/passwd", "localhost:80",
  ])
  func schemes(_ url: String) async {
    #expect(await refusal(of: .get(url))?.code == .unsupportedScheme)
  }

  @Test(arguments: ["", "GET ", "GET /\r\nX:", "G\u{0}T", "GÉT", "CONNECT"])
  func methods(_ method: String) async {
    #expect(await refusal(of: .init(origin.baseURL, method: method))?.code == .invalidMethod)
  }

  @Test(arguments: [
    ("X", "1\r\nY: 2"), ("X", "1\nY: 2"), ("X", "1\r"), ("X", "\u{0}"), ("X\r\nY", "1"), ("X Y", "1"),
    ("", "1"),
    ("X:", "1"), ("Ä", "1"), ("Host", "example.org"), ("content-length", "1"),
    ("Transfer-Encoding", "chunked"),
    ("TE", "gzip"), ("Upgrade", "h2c"), ("Connection", "upgrade"), ("Expect", "100-continue"),
    ("Trailer", "X"),
    ("Proxy-Authorization", "Basic x"), ("Keep-Alive", "timeout=5"),
  ])
  func fields(_ name: String, _ value: String) async {
    let error = await refusal(of: .get(origin.baseURL, fields: [name: value]))
    #expect(error?.code == .invalidField)
    #expect(error.map { !$0.description.contains("\r") && !$0.description.contains("\n") } == true)
  }

  @Test func bodies() async {
    let none = AsyncStream<[UInt8]> { $0.finish() }
    #expect(await refusal(of: .post(origin.baseURL, body: .stream(none, length: -1)))?.code == .invalidBody)
    let trace = HTTPClient.Request(origin.baseURL, method: "TRACE", body: .text("x"))
    #expect(await refusal(of: trace)?.code == .invalidBody)
    let telling = HTTPClient.Request(origin.baseURL, method: "TRACE", fields: ["cookie": "a=b"])
    #expect(await refusal(of: telling)?.code == .invalidField)
    let waiting = HTTPClient.Request.post(
      origin.baseURL, fields: ["Expect": "100-continue"], body: .bytes([]))
    #expect(await refusal(of: waiting)?.code == .invalidField)
  }

  private static let wrongSettings: [@Sendable (inout HTTPClient.Configuration) -> Void] = [
    { $0.maximumConnectionsPerHost = 0 }, { $0.maximumConnections = 0 }, { $0.maximumBodySize = -1 },
    { $0.streamBufferSize = 0 }, { $0.maximumRedirects = -1 }, { $0.userAgent = "a\r\nb: c" },
    { $0.timeouts.connecting = .zero }, { $0.timeouts.total = .seconds(-1) },
    { $0.timeouts.silence = .seconds(2_000_000_000) }, { $0.timeouts.idleConnection = .zero },
    { $0.unixSocketPath = "" }, { $0.unixSocketPath = "/a\u{0}b" },
    { $0.unixSocketPath = String(repeating: "a", count: 108) }, { $0.trust = .pem("") },
    { $0.trust = .pem("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----") },
  ]

  @Test(arguments: wrongSettings.indices)
  func settings(_ index: Int) {
    var configuration = HTTPClient.Configuration()
    Self.wrongSettings[index](&configuration)
    let error = #expect(throws: HTTPClientError.self) { try HTTPClient(configuration) }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.reason.hasPrefix("HTTPClient.Configuration.") == true)
  }
}
