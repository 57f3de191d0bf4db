// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

@Suite(.enabled(if: RealServer.httpbin.isPresent, "httpbin does not run"))
struct HTTPBinTests {
  @Test(arguments: [
    "/get", "/gzip", "/brotli", "/deflate", "/redirect/3", "/absolute-redirect/3", "/relative-redirect/3",
    "/delay/1", "/status/418", "/stream/20", "/encoding/utf8", "/image/png", "/html", "/xml", "/robots.txt",
    "/drip?duration=1&numbytes=100", "/range/5000", "/response-headers?X-One=1",
  ])
  func bodiesAreWhatCurlFetches(path: String) async throws {
    let url = try RealServer.httpbin.url(path)
    let session = try Session.conformance()
    let bytes = try await session.bytes(url)
    #expect(try await bytes == Curl.body(of: url, inOrderOf: bytes))
  }

  @Test func aFormIsReadAsItWasWritten() async throws {
    struct Echo: Decodable { let form: [String: String] }
    let fields = ["name": "Blaue Glöckchen", "and": "a&b=c", "plus": "1+1"]
    let session = try Session.conformance()
    let echo = try await session.request(
      try RealServer.httpbin.url("/post"), method: .post, parameters: fields,
      encoder: URLEncodedFormParameterEncoder.default
    ).validate().serializingDecodable(Echo.self).value
    #expect(echo.form == fields)
  }

  @Test func aJSONBodyIsReadAsItWasWritten() async throws {
    struct Flower: Codable, Equatable {
      var name: String
      var petals: Int
    }
    struct Echo: Decodable { let json: Flower }
    let flower = Flower(name: "Lupinus texensis", petals: 5)
    let session = try Session.conformance()
    let echo = try await session.request(
      try RealServer.httpbin.url("/put"), method: .put, parameters: flower,
      encoder: JSONParameterEncoder.default
    ).validate().serializingDecodable(Echo.self).value
    #expect(echo.json == flower)
  }

  @Test(arguments: [200, 204, 301, 400, 404, 418, 500, 503])
  func validationJudgesTheStatus(status: Int) async throws {
    let session = try Session.conformance()
    let response = await session.request(try RealServer.httpbin.url("/status/\(status)"))
      .redirect(using: Redirector.doNotFollow)
      .validate(statusCode: 200..<300).serializingData(emptyResponseCodes: [200, 204]).response
    #expect(response.response?.statusCode == status)
    #expect((response.error == nil) == (200..<300).contains(status))
  }

  @Test func aRequestThatTakesTooLongTimesOut() async throws {
    let session = try Session.conformance()
    let response = await session.request(try RealServer.httpbin.url("/delay/5")) { $0.timeoutInterval = 0.5 }
      .serializingData().response
    #expect((response.error?.underlyingError as? URLError)?.code == .timedOut)
  }

  @Test func manyAtOnceAreNotMixedUp() async throws {
    struct Echo: Decodable { let args: [String: String] }
    let session = try Session.conformance()
    let base = try RealServer.httpbin.url("/get")
    try await withThrowingTaskGroup(of: (Int, Echo).self) { group in
      for number in 0..<64 {
        group.addTask {
          (number, try await session.request("\(base)?n=\(number)").serializingDecodable(Echo.self).value)
        }
      }
      for try await (number, echo) in group { #expect(echo.args == ["n": "\(number)"]) }
    }
  }
}
