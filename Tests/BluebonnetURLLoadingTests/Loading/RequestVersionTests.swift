// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Requests in HTTP/1.0.
@Suite struct RequestVersionTests {
  private let origin: Origin
  private let url: URL

  init() throws {
    origin = Origin.inMemory()
    origin.script("/a", .text("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi"))
    url = try #require(URL(string: origin.baseURL + "/a"))
  }

  private var session: URLSession {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = nil
    configuration.requestVersion = .http10
    return URLSession(configuration: configuration)
  }

  @Test func eachRequestHasItsConnection() async throws {
    let session = session
    for _ in 0..<2 { #expect(try await session.data(from: url).0 == Data("hi".utf8)) }
    #expect(origin.connectionCount == 2)
    #expect(origin.requests.map(\.minorVersion) == [0, 0])
    session.invalidateAndCancel()
  }

  @Test func unlessItSaysOtherwise() async throws {
    let session = session
    var request = URLRequest(url: url)
    request.setValue("Keep-Alive", forHTTPHeaderField: "Connection")
    for _ in 0..<2 { _ = try await session.data(for: request) }
    #expect(origin.connectionCount == 1)
    session.invalidateAndCancel()
  }

  @Test func aBodyNeedsALength() async throws {
    let session = session
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    request.setValue("100-continue", forHTTPHeaderField: "Expect")
    let body = Data("some".utf8)
    _ = try await session.upload(for: request, from: body)
    #expect(origin.requests.last?.body == Array(body))
    #expect(origin.requests.last?.values("Expect") == [])
    request.httpBodyStream = InputStream(data: body)
    let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
    #expect(error?.refusedSetting?.member == "URLSessionConfiguration.requestVersion")
    #expect(origin.requests.count == 1)
    session.invalidateAndCancel()
  }
}
