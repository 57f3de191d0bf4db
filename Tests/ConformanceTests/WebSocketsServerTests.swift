// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// The `websockets` package's own server: a second reading of RFC 6455 and RFC 7692, at the other end.
@Suite(.enabled(if: RealServer.websockets.isPresent, "the websockets server does not run"), .serialized)
struct WebSocketsServerTests {
  static let servers: [RealServer] = [.websockets, .websocketsTLS, .websocketsSmall, .websocketsUncompressed]

  private static let noise: [UInt8] = {
    var random = SeededGenerator(seed: 9)
    let words = (0..<12_500).map { _ in random.next() }
    return words.withUnsafeBytes { Array($0) }
  }()

  private func open(
    _ path: String, on server: RealServer = .websockets, protocols: [String] = []
  ) throws -> URLSessionWebSocketTask {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 20
    if let authority = RealServer.authority { configuration.trustAnchors = .file(path: authority) }
    let url = try #require(URL(string: try server.url(path)))
    let task = URLSession(configuration: configuration).webSocketTask(with: url, protocols: protocols)
    task.maximumMessageSize = 16 << 20
    task.resume()
    return task
  }

  /// Every length where the form of the header changes, text and binary, compressible or not, one after the other so that
  /// windows are taken over.
  @Test(arguments: servers, ["/echo", "/fragments"])
  func everythingComesBack(server: RealServer, path: String) async throws {
    let task = try open(path, on: server)
    // Beyond what deflate finds again, and within it.
    let noise = Data(Self.noise)
    for count in [1, 125, 126, 127, 999, 1000, 1001, 65_535, 65_536, 100_000] {
      let text = String(repeating: "wide € \(count) ", count: count / 12 + 1)
      try await task.send(.string(text))
      #expect(try await task.receive() == .string(text))
      for data in [Data(noise.prefix(count)), Data(repeating: 7, count: count)] {
        try await task.send(.data(data))
        #expect(try await task.receive() == .data(data))
      }
    }
    task.cancel(with: .normalClosure, reason: nil)
    await #expect(throws: URLError.self) { try await task.receive() }
    #expect(task.closeCode == .normalClosure)
  }

  @Test(arguments: [1000, 1001, 1008, 1011, 1013, 3000, 4999]) func theServerCloses(code: Int) async throws {
    let task = try open("/close/\(code)")
    await #expect(throws: URLError.self) { try await task.receive() }
    #expect(task.closeCode.rawValue == code)
    #expect(task.closeReason == Data("because".utf8))
    #expect(task.error == nil)
  }

  @Test func subprotocols() async throws {
    let task = try open("/echo", protocols: ["first", "second"])
    try await task.send(.string("x"))
    _ = try await task.receive()
    let chosen = (task.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Sec-WebSocket-Protocol")
    #expect(chosen == "second")
    task.cancel()
  }

  @Test func pingsBothWays() async throws {
    let task = try open("/ping")
    guard case .string(let latency) = try await task.receive() else {
      Issue.record("no text")
      return
    }
    #expect(Double(latency) != nil)
    let echo = try open("/echo")
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      echo.sendPing { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
    echo.cancel()
  }

  @Test func manyMessagesAndALargeOne() async throws {
    let task = try open("/repeat/1000")
    for number in 0..<1000 { #expect(try await task.receive() == .string("message \(number)")) }
    await #expect(throws: URLError.self) { try await task.receive() }
    let large = try open("/large/1000000")
    guard case .data(let data) = try await large.receive() else {
      Issue.record("no data")
      return
    }
    #expect(data.count == 1_000_000)
    #expect(data.prefix(251) == Data(0..<251) && data.prefix(999_749) == data.dropFirst(251))
    large.cancel()
  }

  @Test func aDroppedConnection() async throws {
    let task = try open("/drop")
    try await task.send(.string("x"))
    let error = await #expect(throws: URLError.self) { try await task.receive() }
    #expect(error?.code == .networkConnectionLost)
  }

  /// A consumer that does not receive stops the server: what its kernel and ours take is all that goes out.
  @Test func aPausedConsumerStopsTheServer() async throws {
    let task = try open("/flood", on: .websocketsUncompressed)
    _ = try await task.receive()
    // The server waits for half a second before it says what went out.
    try await Task.sleep(for: .seconds(3))
    #expect(task.countOfBytesReceived < 1 << 20)
    var last: URLSessionWebSocketTask.Message?
    while case .data? = last ?? .data(Data()) { last = try await task.receive() }
    guard case .string(let sent)? = last else {
      Issue.record("no count")
      return
    }
    print("a paused consumer: \(sent) bytes went out, into both kernels")
    #expect(task.state == .running || task.state == .completed)
  }

  @Test func requestsOfTheAPI() async throws {
    let session = try Session.conformance()
    let task = session.webSocketRequest(
      to: try RealServer.websocketsTLS.url("/echo"), configuration: .pingInterval(0.05)
    )
    .webSocketTask()
    let messages = task.streamingMessages()
    for number in 0..<100 { try await task.send(.string("\(number)")) }
    var heard = 0
    for await message in messages {
      #expect(message == .string("\(heard)"))
      heard += 1
      if heard == 100 { task.close(sending: .normalClosure) }
    }
    #expect(heard == 100)
  }
}
