// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// `Expect: 100-continue` (RFC 9110 §10.1.1).
@Suite struct ExpectationTests {
  private let origin: Origin
  private let failed = ScriptedReply(
    [.bytes(Array("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno".utf8))], at: .head)

  init() {
    origin = Origin.inMemory()
  }

  private func request(_ path: String) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.httpMethod = "POST"
    request.setValue("100-continue", forHTTPHeaderField: "Expect")
    return request
  }

  private func session(expects: Bool = false) -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    // After a second the body would go out without an answer.
    configuration.timeoutIntervalForContinue = 600
    if expects { configuration.httpAdditionalHeaders = ["expect": "100-continue"] }
    return URLSession(configuration: configuration)
  }

  @Test(arguments: [false, true]) func isTakenBackWhereTheServerDoesNotKnowIt(isOfSession: Bool) async throws
  {
    origin.script("/old", failed, .response(body: "ok".utf8))
    var request = try request("/old")
    if isOfSession { request.setValue(nil, forHTTPHeaderField: "Expect") }
    let (data, response) = try await session(expects: isOfSession).upload(
      for: request, from: Data(repeating: 1, count: 1000))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(String(decoding: data, as: UTF8.self) == "ok")
    let sent = origin.requests
    #expect(sent.map { $0.value("Expect") } == ["100-continue", nil])
    #expect(sent.last?.body.count == 1000)
  }

  @Test func aStreamThatNobodyHasReadIsSentThen() async throws {
    origin.script("/old", failed, .response(body: "ok".utf8))
    var request = try request("/old")
    request.httpBodyStream = InputStream(data: Data(repeating: 1, count: 1000))
    let (data, _) = try await session().data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == "ok")
    #expect(origin.requests.last?.body.count == 1000)
  }

  @Test func isTakenBackOnce() async throws {
    origin.script("/never", failed)
    let (_, response) = try await session().upload(for: try request("/never"), from: Data([1]))
    #expect((response as? HTTPURLResponse)?.statusCode == 417)
    #expect(origin.requests.map { $0.value("Expect") } == ["100-continue", nil])
  }

  @Test func withoutItTheStatusIsTheCallers() async throws {
    origin.script("/never", failed)
    var request = try request("/never")
    request.setValue(nil, forHTTPHeaderField: "Expect")
    let (data, response) = try await session().upload(for: request, from: Data([1]))
    #expect((response as? HTTPURLResponse)?.statusCode == 417)
    #expect(String(decoding: data, as: UTF8.self) == "no")
    #expect(origin.requests.count == 1)
  }

  @Test(arguments: [false, true], [nil, Data()] as [Data?])
  func isNotSentWithoutABody(isOfSession: Bool, body: Data?) async throws {
    var request = try request("/anything")
    if isOfSession { request.setValue(nil, forHTTPHeaderField: "Expect") }
    request.httpBody = body
    _ = try await session(expects: isOfSession).data(for: request)
    #expect(origin.requests.last?.value("Expect") == nil)
    #expect(origin.requests.last?.value("Content-Length") == "0")
  }
}
