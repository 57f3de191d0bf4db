// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

@Suite(.enabled(if: RealServer.nginx.isPresent, "nginx does not run"))
struct NginxTests {
  @Test(arguments: [
    "/text.txt", "/zero.txt", "/random.bin", "/data.json", "/gzip-static/text.txt", "/gzip/text.txt",
    "/gzip/random.bin", "/chunked/text.txt", "/chunked/zero.txt", "/closing/random.bin", "/slowly/text.txt",
    "/large-head", "/moved", "/found", "/absent",
  ])
  func bodiesAreWhatCurlFetches(path: String) async throws {
    let url = try RealServer.nginx.url(path)
    let session = try Session.conformance()
    let bytes = try await session.bytes(url)
    #expect(try await bytes == Curl.body(of: url))
  }

  @Test func compressedBodiesArriveInTheirCoding() async throws {
    let session = try Session.conformance()
    for path in ["/gzip-static/text.txt", "/gzip/text.txt"] {
      let response = await session.request(try RealServer.nginx.url(path)).serializingData().response
      #expect(response.response?.headers.value(for: "Content-Encoding") == "gzip")
      #expect(response.data?.count == 70_766)
    }
  }

  @Test func everyFieldOfALargeHeadArrives() async throws {
    let session = try Session.conformance()
    let response = await session.request(try RealServer.nginx.url("/large-head")).serializingData().response
    for (number, letter) in "abcdefgh".enumerated() {
      #expect(
        response.response?.headers.value(for: "X-Large-\(number)") == String(repeating: letter, count: 3500))
    }
  }

  /// nginx closes each connection behind its third response.
  @Test func aServerThatLimitsKeepAliveIsNoObstacle() async throws {
    let url = try RealServer.nginx.url("/limited/text.txt")
    let session = try Session.conformance()
    let expected = try await Curl.body(of: url)
    for _ in 0..<10 { #expect(try await session.bytes(url) == expected) }
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<60 { group.addTask { try await session.bytes(url) } }
      for try await bytes in group { #expect(bytes == expected) }
    }
  }

  @Test func headHasTheFieldsAndNoBody() async throws {
    let session = try Session.conformance()
    let response = await session.request(try RealServer.nginx.url("/random.bin"), method: .head)
      .serializingData().response
    #expect(response.response?.headers.value(for: "Content-Length") == "3000000")
    #expect(response.response?.statusCode == 200)
    #expect((response.data ?? Data()).isEmpty)
  }

  @Test func noContentIsEmpty() async throws {
    let session = try Session.conformance()
    let response = await session.request(try RealServer.nginx.url("/empty")).serializingData().response
    #expect(response.response?.statusCode == 204)
    #expect(response.error == nil)
  }

  @Test func aValidatorThatMatchesGivesNotModified() async throws {
    let url = try RealServer.nginx.url("/text.txt")
    let session = try Session.conformance()
    let first = await session.request(url).serializingData().response
    let tag = try #require(first.response?.headers.value(for: "ETag"))
    let second = await session.request(url, headers: ["If-None-Match": tag])
      .serializingData(emptyResponseCodes: [304]).response
    #expect(second.response?.statusCode == 304)
    #expect(second.error == nil)
  }

  @Test func aRangeIsTheRightPart() async throws {
    let url = try RealServer.nginx.url("/random.bin")
    let session = try Session.conformance()
    let response = await session.request(url, headers: ["Range": "bytes=1000-1999"]).serializingData()
      .response
    #expect(response.response?.statusCode == 206)
    #expect(try await response.data.map([UInt8].init) == Array(Curl.body(of: url)[1000...1999]))
  }

  @Test func aStoredBodyComesBackAsItWas() async throws {
    let url = try RealServer.nginx.url("/stored/flower.bin")
    let session = try Session.conformance()
    var request = try URLRequest(url: url, method: .put)
    request.httpBody = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let stored = await session.request(request).serializingData(emptyResponseCodes: [201, 204]).response
    #expect(stored.response?.statusCode == 201)
    #expect(try await session.bytes(url) == request.httpBody.map([UInt8].init))
    #expect(try await Curl.body(of: url) == request.httpBody.map([UInt8].init))
  }

  @Test func credentialsInAHeaderOpenAPrivatePlace() async throws {
    let url = try RealServer.nginx.url("/private")
    let session = try Session.conformance()
    let refused = await session.request(url).validate().serializingData().response
    #expect(refused.error?.responseCode == 401)
    let opened = await session.request(url, headers: [.authorization(username: "bonnie", password: "blue")])
      .validate().serializingData().response
    #expect(opened.data?.count == 70_766)
  }

  /// nginx accepts the request and closes without a byte.
  @Test func aConnectionClosedWithoutAnAnswerIsLost() async throws {
    let session = try Session.conformance()
    let response = await session.request(try RealServer.nginx.url("/silent")).serializingData().response
    #expect(response.error?.isSessionTaskError == true)
    #expect((response.error?.underlyingError as? URLError)?.code == .networkConnectionLost)
  }

  @Test func aTargetReachesTheServerAsItWasWritten() async throws {
    let session = try Session.conformance()
    let url = try RealServer.nginx.url("/echo/a%20b%2Fc?q=%C3%BC&flag&x=1+2")
    let bytes = try await session.bytes(url)
    #expect(try await bytes == Curl.body(of: url))
  }
}
