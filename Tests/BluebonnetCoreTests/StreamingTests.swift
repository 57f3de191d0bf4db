// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCore

@Suite struct StreamingTests {
  private let origin: Origin
  private let client: HTTPClient

  init() throws {
    origin = try Origin.start()
    client = try HTTPClient()
  }

  @Test(arguments: ["/download/5000000", "/manyBytes/3000000", "/gzip", "/chunked/50/0"])
  func allOfIt(_ path: String) async throws {
    let whole = try await client.send(.get(origin.baseURL + path))
    let response = try await client.stream(.get(origin.baseURL + path))
    #expect(response.status == 200)
    if path.hasPrefix("/download") { #expect(response.length == 5_000_000) }
    var body: [UInt8] = []
    for try await piece in response.body {
      #expect(!piece.isEmpty)
      body += piece
    }
    #expect(body.count == whole.body.count)
    // The others are different each time.
    if path.hasPrefix("/download") { #expect(body == whole.body) }
  }

  @Test func whoDoesNotReadIsNotSentForEver() async throws {
    let response = try await client.stream(.get(origin.baseURL + "/infinite"))
    var iterator = response.body.makeAsyncIterator()
    var read = 0
    for _ in 0..<20 {
      // What waits is what there is room for, and a piece on top.
      let piece = try #require(try await iterator.next())
      #expect(piece.count <= 1 << 20)
      read += piece.count
      await Task.yield()
    }
    #expect(read > 0)
  }

  @Test func nobodyWantsIt() async throws {
    do {
      let response = try await client.stream(.get(origin.baseURL + "/infinite"))
      #expect(response.status == 200)
      #expect(origin.openConnections == 1)
    }
    await Eventually.expect("its connection is closed") { origin.openConnections == 0 }
  }

  @Test func aBodyThatIsReadKeepsItsClient() async throws {
    let response = try await HTTPClient().stream(.get(origin.baseURL + "/download/5000000"))
    var count = 0
    for try await piece in response.body { count += piece.count }
    #expect(count == 5_000_000)
    await Eventually.expect("nobody keeps it any more") { origin.openConnections == 0 }
  }

  @Test func silenceWhileNobodyReadsIsNotTheServers() async throws {
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").then(.hang))
    var configuration = HTTPClient.Configuration()
    configuration.timeouts.silence = .seconds(5)
    configuration.streamBufferSize = 1
    let client = try HTTPClient(configuration)
    client.loop.stopClock()
    let response = try await client.stream(.get(origin.baseURL + "/half"))
    await Eventually.expect("the half has come") { [origin] in origin.hangingConnections == 1 }
    client.loop.advance(by: .seconds(60))
    let connection = try #require(origin.requests.last?.connection)
    origin.interject(Array("whole".utf8), on: connection)
    var body: [UInt8] = []
    for try await piece in response.body { body += piece }
    #expect(body == Array("halfwhole".utf8))
  }

  @Test func itEndsBeforeItsTime() async throws {
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").then(.close))
    let response = try await client.stream(.get(origin.baseURL + "/half"))
    var iterator = response.body.makeAsyncIterator()
    var body: [UInt8] = []
    let error = await #expect(throws: HTTPClientError.self) {
      while let piece = try await iterator.next() { body += piece }
    }
    #expect(body == Array("half".utf8))
    #expect(error?.code == .connectionLost)
    #expect(error?.phase == .receivingBody)
    await #expect(throws: HTTPClientError.self) { try await iterator.next() }
  }

  @Test func whoWaitsForAPieceMayBeCancelled() async throws {
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").then(.hang))
    let response = try await client.stream(.get(origin.baseURL + "/half"))
    var iterator = response.body.makeAsyncIterator()
    #expect(try await iterator.next() == Array("half".utf8))
    let task = Task { [body = response.body] in
      var iterator = body.makeAsyncIterator()
      return try await iterator.next()
    }
    task.cancel()
    let error = await #expect(throws: HTTPClientError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await Eventually.expect("its connection is closed") { origin.openConnections == 0 }
  }

  @Test func noHeadComes() async throws {
    origin.script("/closed", .close)
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.stream(.get(origin.baseURL + "/closed"))
    }
    #expect(error?.code == .connectionLost)
  }

  @Test func trailersComeLast() async throws {
    origin.script(
      "/trailers",
      .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 532\r\n\r\n"))
    let response = try await client.stream(.get(origin.baseURL + "/trailers"))
    for try await piece in response.body { #expect(piece == Array("hello".utf8)) }
    #expect(response.body.trailers["X-Sum"] == "532")
  }

  @Test func theFieldsAreThereBeforeTheBody() async throws {
    origin.script(
      "/fields",
      ScriptedReply([
        .bytes(Array("HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 3\r\n\r\n".utf8)), .hang,
      ]))
    let response = try await client.stream(.get(origin.baseURL + "/fields"))
    #expect(response.fields.values("x-a") == ["1", "2"])
    #expect(response.fields["Content-Length"] == "3" && response.length == 3)
  }
}
