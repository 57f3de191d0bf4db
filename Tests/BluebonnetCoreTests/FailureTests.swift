// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@Suite struct FailureTests {
  private let origin: Origin
  private let client: HTTPClient

  init() throws {
    origin = try Origin.start()
    client = try HTTPClient()
  }

  private func failure(
    _ url: String, _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) async throws -> HTTPClientError? {
    var configuration = HTTPClient.Configuration()
    change(&configuration)
    let client = try HTTPClient(configuration)
    return await #expect(throws: HTTPClientError.self) { try await client.send(.get(url)) }
  }

  @Test func nobodyListens() async throws {
    let port = try ClosedPort()
    let error = try await failure("http://127.0.0.1:\(port.number)/")
    #expect(error?.code == .notConnected)
    #expect(error?.fault == .server)
    #expect(error?.phase == .connecting)
  }

  @Test func nobodyHasAskedForAnotherProtocol() async throws {
    origin.script("/switch", .text("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"))
    let error = try await failure(origin.baseURL + "/switch")
    #expect(error?.code == .invalidResponse)
    #expect(error?.fault == .server)
  }

  @Test func noSuchHost() async throws {
    let error = try await failure("http://nowhere.invalid/")
    #expect(error?.code == .hostNotFound)
    #expect(error?.fault == .network)
  }

  @Test(arguments: [
    (ScriptedReply.close, HTTPClientError.Code.connectionLost), (.reset, .connectionLost),
    (.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").then(.close), .connectionLost),
    (.text("HTTP/1.1 2OO OK\r\n\r\n"), .invalidResponse),
    (.text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope"), .invalidContent),
  ])
  func brokenAnswers(_ reply: ScriptedReply, _ code: HTTPClientError.Code) async throws {
    origin.script("/broken", reply)
    let error = try await failure(origin.baseURL + "/broken")
    #expect(error?.code == code)
    #expect(error.map { [.server, .network].contains($0.fault) } == true)
  }

  @Test(arguments: ["/bytes/1000", "/download/1000", "/infinite", "/chunked/2000/0", "/gzip"])
  func bodiesThatAreTooLarge(_ path: String) async throws {
    let error = try await failure(origin.baseURL + path) { $0.maximumBodySize = path == "/gzip" ? 10 : 999 }
    #expect(error?.code == .bodyTooLarge)
    #expect(error?.reason.contains("maximumBodySize") == true)
  }

  @Test func aBodyAtItsLimit() async throws {
    var configuration = HTTPClient.Configuration()
    configuration.maximumBodySize = 1000
    let client = try HTTPClient(configuration)
    #expect(try await client.send(.get(origin.baseURL + "/download/1000")).body.count == 1000)
  }

  enum Limit {
    case response
    case silence
    case total
  }

  @Test(arguments: [
    (ScriptedReply.silence, Limit.response),
    (.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").then(.hang), .silence), (.silence, .total),
    (.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").then(.hang), .total),
  ])
  func whatTakesTooLong(_ reply: ScriptedReply, _ limit: Limit) async throws {
    origin.script("/slow", reply)
    let error = try await failure(origin.baseURL + "/slow") { configuration in
      // No other limit steps in.
      configuration.timeouts.sending = nil
      configuration.timeouts.response = nil
      configuration.timeouts.silence = nil
      switch limit {
      case .response: configuration.timeouts.response = .milliseconds(50)
      case .silence: configuration.timeouts.silence = .milliseconds(50)
      case .total: configuration.timeouts.total = .milliseconds(200)
      }
    }
    #expect(error?.code == .timedOut)
    // What was being done when all of it had taken too long is the machine's to say.
    if limit != .total { #expect(error?.fault == .server) }
  }

  @Test func handshakesThatTakeTooLong() async throws {
    let origin = try Origin.start(security: .tls)
    origin.reception = .silence
    let error = try await failure(origin.baseURL + "/get") { $0.timeouts.securing = .milliseconds(50) }
    #expect(error?.code == .timedOut)
    #expect(error?.phase == .securing)
  }

  @Test func theTotalCountsRedirects() async throws {
    origin.script("/loop", .text("HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n"))
    let error = try await failure(origin.baseURL + "/loop") {
      $0.maximumRedirects = .max
      $0.timeouts.total = .milliseconds(100)
    }
    #expect(error?.code == .timedOut)
  }
}
