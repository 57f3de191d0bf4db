// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Whatever goes wrong on the way yields an error that names phase and cause, within its time-out.
@Suite struct BadInputTests {
  /// A reply that is wrong on purpose, and what it must come to.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reply: ScriptedReply
    let cause: TransportFailure.Cause
    let code: URLError.Code

    init(_ name: String, _ reply: ScriptedReply, _ cause: TransportFailure.Cause, _ code: URLError.Code) {
      testDescription = name
      self.reply = reply
      self.cause = cause
      self.code = code
    }
  }

  static let ok = "HTTP/1.1 200 OK\r\n"

  static let cases: [Case] = [
    Case("closes instead of answering", .close, .noResponse, .networkConnectionLost),
    Case("resets instead of answering", .reset, .network, .networkConnectionLost),
    Case(
      "closes in the head", .text("HTTP/1.1 200 OK\r\nContent-").then(.close), .truncated,
      .networkConnectionLost),
    Case(
      "resets in the head", .text("HTTP/1.1 200 OK\r\nContent-").then(.reset), .network,
      .networkConnectionLost),
    Case(
      "closes in a counted body", .text(ok + "Content-Length: 10\r\n\r\nhello").then(.close), .truncated,
      .networkConnectionLost),
    Case(
      "resets in a counted body", .text(ok + "Content-Length: 10\r\n\r\nhello").then(.reset), .network,
      .networkConnectionLost),
    Case(
      "closes in a chunk", .text(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel").then(.close), .truncated,
      .networkConnectionLost),
    Case(
      "closes before the last chunk",
      .text(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n").then(.close),
      .truncated, .networkConnectionLost),
    Case(
      "speaks another protocol", .text("SSH-2.0-OpenSSH_9.2\r\n"), .malformedResponse, .cannotParseResponse),
    Case("has a broken field", .text(ok + "Na me: x\r\n\r\n"), .malformedResponse, .cannotParseResponse),
    Case(
      "never ends its head",
      ScriptedReply([.bytes(Array(ok.utf8)), .repeating(Array("A: b\r\n".utf8), count: nil)]),
      .malformedResponse, .cannotParseResponse),
    Case(
      "has a wrong chunk size", .text(ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), .malformedResponse,
      .cannotParseResponse),
    Case(
      "has two lengths", .text(ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
      .malformedResponse,
      .cannotParseResponse),
    Case(
      "sends broken gzip", .text(ok + "Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\nnot gzip at!"),
      .contentCoding, .cannotDecodeContentData),
  ]

  @Test(arguments: cases) func becomesAnError(wrong: Case) async throws {
    let origin = try Origin.start()
    origin.script("/wrong", wrong.reply)
    let session = URLSession(configuration: .ephemeral)
    let url = try #require(URL(string: origin.baseURL + "/wrong"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.transportFailure?.cause == wrong.cause)
    #expect(error?.code == wrong.code)
    #expect(error?.localizedDescription.isEmpty == false)
    await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
  }

  @Test func aRefusedConnectionSaysSo() async throws {
    let port = try ClosedPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/get"))
    let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
    #expect(error?.code == .cannotConnectToHost)
    #expect(error?.transportFailure?.cause == .connectionRefused)
    #expect(error?.transportFailure?.phase == .connecting)
  }

  @Test func anUnknownHostSaysSo() async throws {
    let url = try #require(URL(string: "http://nobody.invalid/"))
    let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
    #expect(error?.code == .cannotFindHost)
    #expect(error?.transportFailure?.phase == .resolving)
  }

  @Test(arguments: ["ftp://example.com/", "http://", "mailto:a@b.c", "http://a:99999/"])
  func anAddressThatCannotBeLoadedIsRefused(address: String) async throws {
    guard let url = URL(string: address) else { return }
    let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
    #expect(error?.code == .unsupportedURL || error?.code == .badURL)
  }

  @Test(arguments: ["a\r\nInjected: yes", "a\nb", "a\0b"]) func aFieldThatWouldInjectIsRefused(value: String)
    async throws
  {
    let origin = try Origin.start()
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
    request.setValue(value, forHTTPHeaderField: "X-Test")
    let sent = request
    let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(for: sent) }
    #expect(error?.transportFailure?.cause == .invalidRequest)
    #expect(origin.connectionCount == 0)
  }

  /// What comes of a load when its time is up.
  ///
  /// - Parameters:
  ///   - limit: The time that is limited, to ten seconds.
  ///   - isReady: Whether all has come that comes before.
  private func lateness(
    of path: String, on origin: Origin,
    limit: ReferenceWritableKeyPath<URLSessionConfiguration, TimeInterval> = \.timeoutIntervalForRequest,
    isReady: @escaping @Sendable (URLSessionTask) -> Bool
  ) async throws -> URLError? {
    let configuration = URLSessionConfiguration.ephemeral
    configuration[keyPath: limit] = 10
    let clock = configuration.stopClock()
    let url = try #require(URL(string: origin.baseURL + path))
    let failed = Locked<(any Error)?>(nil)
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: url) { _, _, error in failed.withLock { $0 = error } }
    task.resume()
    await Eventually.expect("all has come that comes") { isReady(task) }
    clock.advance(by: .seconds(10))
    await Eventually.expect("it fails") { failed.withLock { $0 } != nil }
    return failed.withLock { $0 } as? URLError
  }

  @Test func aServerThatAcceptsAndKeepsSilentTimesOut() async throws {
    let origin = try Origin.start()
    origin.reception = .silence
    let error = try await lateness(of: "/get", on: origin) { _ in origin.connectionCount == 1 }
    #expect(error?.code == .timedOut)
    #expect(error?.transportFailure?.phase == .waiting)
  }

  @Test func aBodyThatDripsTooSlowlyForTheWholeResourceTimesOut() async throws {
    let origin = try Origin.start()
    origin.script(
      "/drip",
      .text(Self.ok + "Content-Length: 1000\r\n\r\n" + String(repeating: "x", count: 500)).dripping(
        every: 1
      ).then(.hang))
    let error = try await lateness(
      of: "/drip", on: origin, limit: \.timeoutIntervalForResource, isReady: { $0.countOfBytesReceived > 100 }
    )
    #expect(error?.code == .timedOut)
    #expect(error?.localizedDescription.contains("whole resource") == true)
  }

  @Test func aBodyThatStallsTimesOutWhileReceiving() async throws {
    let origin = try Origin.start()
    origin.script("/stall", .text(Self.ok + "Content-Length: 10\r\n\r\nhello").then(.hang))
    let error = try await lateness(of: "/stall", on: origin) { _ in origin.hangingConnections == 1 }
    #expect(error?.code == .timedOut)
    #expect(error?.transportFailure?.phase == .receivingBody)
  }

  @Test func aStaleConnectionIsReplacedForASafeRequest() async throws {
    let origin = try Origin.start()
    let session = URLSession(configuration: .ephemeral)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    for _ in 0..<5 {
      _ = try await session.data(from: url)
      origin.dropConnections()
    }
    #expect(origin.requests.count == 5)
  }

  /// A request that must not be sent twice goes over no connection that has ended meanwhile, as far as that can be known: in a
  /// Unix-domain socket the server's end lies at once. In a process of its own, since a child that another test forks holds all
  /// sockets open until it becomes another program.
  @Test func aPostGoesOverNoConnectionThatHasEnded() async throws {
    await #expect(processExitsWith: .success) {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock")
        .path
      let origin = try Origin.start(on: .unix(path: path))
      let configuration = URLSessionConfiguration.ephemeral
      configuration.unixSocketPath = path
      let session = URLSession(configuration: configuration)
      var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/post")))
      request.httpMethod = "POST"
      for round in 1...20 {
        let (_, response) = try await session.upload(for: request, from: Data("body".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        origin.dropConnections()
        #expect(origin.requests.count == round && origin.connectionCount == round)
      }
      origin.stop()
    }
  }

  @Test func bytesBehindAResponseNeverAnswerTheNextRequest() async throws {
    let origin = try Origin.start()
    let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
    origin.script("/planted", .text(first + "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nplanted"))
    let session = URLSession(configuration: .ephemeral)
    let planted = try #require(URL(string: origin.baseURL + "/planted"))
    let next = try #require(URL(string: origin.baseURL + "/get"))
    for _ in 0..<20 {
      let (data, _) = try await session.data(from: planted)
      #expect(String(decoding: data, as: UTF8.self) == "first")
      let (answer, _) = try await session.data(from: next)
      #expect(String(decoding: answer, as: UTF8.self).contains("/get"))
    }
  }
}
