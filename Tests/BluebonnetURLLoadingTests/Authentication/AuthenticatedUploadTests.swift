// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Content that has to go out more than once, or not before its time.
@Suite struct AuthenticatedUploadTests {
  let origin: Origin
  private let session = URLSession(
    configuration: .inMemory,
    delegate: ChallengeAnswerer(URLCredential(user: "user", password: "secret", persistence: .forSession)),
    delegateQueue: nil)
  private let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  init() {
    origin = Origin.inMemory()
  }

  private func request(_ path: String) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.httpMethod = "PUT"
    return request
  }

  private func file() throws -> URL {
    let url = URL(filePath: "/tmp/bluebonnet-authenticated-\(UInt64.random(in: .min ... .max))")
    try content.write(to: url)
    return url
  }

  @Test(arguments: [
    "/basic-auth/user/secret", "/digest-auth/auth/user/secret",
    "/digest-auth/auth-int/user/secret?algorithm=SHA-256",
    "/ntlm-auth/user/secret",
  ])
  func filesAndDataGoOutAgain(_ path: String) async throws {
    defer { session.invalidateAndCancel() }
    let file = try file()
    defer { try? FileManager.default.removeItem(at: file) }
    for _ in 0..<2 {
      let (_, response) = try await session.upload(for: try request(path), fromFile: file)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(origin.requests.last?.body == Array(content))
    }
    let (_, other) = try await session.upload(for: try request(path), from: content)
    #expect((other as? HTTPURLResponse)?.statusCode == 200)
    #expect(origin.requests.last?.body == Array(content))
  }

  /// A server that closes the connection behind its challenge without saying so gets the answer over another one, also where the method
  /// is not idempotent: it has refused the request.
  @Test func theAnswerIsSentAgainWhereTheConnectionHasBeenClosed() async throws {
    defer { session.invalidateAndCancel() }
    for number in 0..<20 {
      origin.script(
        "/closing\(number)/a",
        .response(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"\(number)\"")]).then(.close),
        .response(body: "in".utf8))
      var request = try request("/closing\(number)/a")
      request.httpMethod = "POST"
      let (data, response) = try await session.upload(for: request, from: content)
      #expect((response as? HTTPURLResponse)?.statusCode == 200 && data == Data("in".utf8))
    }
  }

  /// Nor is it lost where the end comes in the place of a response: who has just refused a request has not done what it says.
  @Test func theAnswerIsSentAgainWhereItEndsWithoutAByte() async throws {
    defer { session.invalidateAndCancel() }
    origin.script(
      "/ending/a", .response(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"r\"")]),
      ScriptedReply([.close]), .response(body: "in".utf8))
    var request = try request("/ending/a")
    request.httpMethod = "POST"
    let (data, response) = try await session.upload(for: request, from: content)
    #expect((response as? HTTPURLResponse)?.statusCode == 200 && data == Data("in".utf8))
    #expect(origin.requests.map { $0.body.count } == [300_000, 300_000, 300_000])
  }

  /// NTLM's first message is refused in any case: nothing is gained by sending the content with it. Over a connection
  /// that has been proved there is no such message.
  @Test func ntlmHoldsTheContentBack() async throws {
    defer { session.invalidateAndCancel() }
    for _ in 0..<2 {
      let (_, response) = try await session.upload(for: try request("/ntlm-auth/user/secret"), from: content)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    #expect(origin.requests.map { $0.body.count } == [300_000, 0, 300_000, 300_000])
    #expect(origin.requests.map { $0.value("Content-Length") } == ["300000", "0", "300000", "300000"])
  }

  @Test(arguments: ["/digest-auth/auth/user/secret", "/ntlm-auth/user/secret"])
  func aStreamGoesOutOnceAndThenItsOwnerIsAsked(_ path: String) async throws {
    defer { session.invalidateAndCancel() }
    var once = try request(path)
    once.httpBodyStream = InputStream(data: content)
    let error = await #expect(throws: URLError.self) { try await session.data(for: once) }
    #expect(error?.code == .requestBodyStreamExhausted)
    #expect("\(error as Any)".contains("has to be sent again after the response with status 401"))
    // Where the place is known, once is enough.
    _ = try await session.upload(for: try request(path), from: Data())
    var again = try request(path)
    again.httpBodyStream = InputStream(data: content)
    let (_, response) = try await session.data(for: again)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(origin.requests.last?.body == Array(content))
  }

  @Test func aStreamCannotBeProvedInAdvance() async throws {
    defer { session.invalidateAndCancel() }
    let path = "/digest-auth/auth-int/user/secret"
    _ = try await session.upload(for: try request(path), from: Data())
    var stream = try request(path)
    stream.httpBodyStream = InputStream(data: content)
    let error = await #expect(throws: URLError.self) { try await session.data(for: stream) }
    #expect(error?.code == .userAuthenticationRequired)
    #expect("\(error as Any)".contains("auth-int"))
  }
}
