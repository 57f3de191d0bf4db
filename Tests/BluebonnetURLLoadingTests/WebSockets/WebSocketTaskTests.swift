// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetWebSocket
import Testing

/// WebSocket tasks over real sockets, against our own origin.
@Suite struct WebSocketTaskTests {
  let origin: Origin
  let session = URLSession(configuration: .ephemeral)

  init() throws { origin = try Origin.start() }

  private func url(_ path: String) throws -> URL {
    try #require(URL(string: "ws" + origin.baseURL.dropFirst(4) + path))
  }

  private func open(_ path: String) throws -> URLSessionWebSocketTask {
    let task = session.webSocketTask(with: try url(path))
    task.resume()
    return task
  }

  @discardableResult
  private func expect(
    _ code: URLError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async -> URLError? {
    do {
      try await body()
      Issue.record("nothing was thrown", sourceLocation: sourceLocation)
      return nil
    } catch {
      #expect((error as? URLError)?.code == code, sourceLocation: sourceLocation)
      return error as? URLError
    }
  }

  // MARK: Messages

  @Test func messagesGoBothWays() async throws {
    let task = try open("/websocket/echo")
    for text in ["", "one", String(repeating: "wide €", count: 50_000)] {
      try await task.send(.string(text))
      #expect(try await task.receive() == .string(text))
    }
    for count in [0, 1, 70_000, 900_000] {
      let data = Data((0..<count).map { UInt8($0 % 251) })
      try await task.send(.data(data))
      #expect(try await task.receive() == .data(data))
    }
    #expect((task.response as? HTTPURLResponse)?.statusCode == 101)
    #expect(task.state == .running)
    #expect(task.countOfBytesReceived > 900_000)
    #expect(task.closeCode == .invalid)
    // RFC 6455 §4.1
    let request = try #require(origin.requests.first)
    #expect(request.method == "GET")
    #expect(request.value("Upgrade") == "websocket")
    #expect(request.value("Sec-WebSocket-Version") == "13")
    #expect(request.value("Sec-WebSocket-Extensions")?.hasPrefix("permessage-deflate") == true)
    task.cancel()
  }

  /// Sent and asked for before the task has begun.
  @Test func whatIsGivenEarlyWaits() async throws {
    let task = session.webSocketTask(with: try url("/websocket/echo"))
    let heard = Locked<[String]>([])
    let ended = Signal()
    for number in 0..<100 {
      task.send(.string("\(number)")) { error in #expect(error == nil) }
      task.receive { result in
        if case .success(.string(let text)) = result { heard.withLock { $0.append(text) } }
        if number == 99 { ended.raise() }
      }
    }
    task.resume()
    await Eventually.expect("all have come") { heard.withLock { $0.count } == 100 }
    #expect(heard.withLock { $0 } == (0..<100).map { "\($0)" })
    #expect(ended.wait())
    task.cancel()
  }

  @Test func pingsHaveTheirPongs() async throws {
    let task = try open("/websocket/ping/3")
    let pongs = Locked(0)
    for _ in 0..<3 { task.sendPing { error in if error == nil { pongs.withLock { $0 += 1 } } } }
    await Eventually.expect("the server has closed") { task.state == .completed }
    // The state is set before the last handlers have run on their queue.
    await Eventually.expect("each ping has its pong") { pongs.withLock { $0 } == 3 }
    #expect(task.closeCode == .normalClosure)
    #expect(task.error == nil)
  }

  /// Over TLS, where the handshake's end and the first messages may come in one record.
  @Test func overTLS() async throws {
    let origin = try Origin.start(security: .tls)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: origin.authority ?? ""))])
    let session = URLSession(configuration: configuration)
    let url = try #require(URL(string: "ws" + origin.baseURL.dropFirst(4)))
    let task = session.webSocketTask(with: url.appendingPathComponent("websocket/payloads/50"))
    task.resume()
    for _ in 0..<50 {
      guard case .data = try await task.receive() else {
        Issue.record("no data")
        return
      }
    }
    await expect(.networkConnectionLost) { _ = try await task.receive() }
    await Eventually.expect("it has completed") { task.state == .completed }
    #expect(task.error == nil)
  }

  @Test func withoutCompression() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.webSocketCompression = nil
    let task = URLSession(configuration: configuration).webSocketTask(with: try url("/websocket/echo"))
    task.resume()
    let text = String(repeating: "again ", count: 1000)
    try await task.send(.string(text))
    #expect(try await task.receive() == .string(text))
    #expect(origin.requests.first?.value("Sec-WebSocket-Extensions") == nil)
    task.cancel()
  }

  // MARK: Ending

  @Test func theServerCloses() async throws {
    let delegate = WebSocketRecorder()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let task = session.webSocketTask(
      with: try url("/websocket?closeCode=4321&closeDelay=1"), protocols: ["first", "second"])
    task.resume()
    guard case .data(let data) = try await task.receive() else {
      Issue.record("no data")
      return
    }
    #expect(String(decoding: data, as: UTF8.self).contains("Sec-WebSocket-Protocol"))
    let error = await expect(.networkConnectionLost) { _ = try await task.receive() }
    #expect(error?.loadingFault != nil)
    await Eventually.expect("the delegate has heard of the end") { delegate.heard.withLock { $0.count } == 3 }
    #expect(
      delegate.heard.withLock { $0 } == ["open first", "close 4321 nil", "complete nil"])
    #expect(task.closeCode.rawValue == 4321)
    #expect(task.closeReason == nil)
    await expect(.networkConnectionLost) { try await task.send(.string("late")) }
  }

  @Test func theCallerCloses() async throws {
    let delegate = WebSocketRecorder()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let task = session.webSocketTask(with: try url("/websocket/echo"))
    task.resume()
    try await task.send(.string("hello"))
    #expect(try await task.receive() == .string("hello"))
    task.cancel(with: .goingAway, reason: Data("bye".utf8))
    await expect(.cancelled) { _ = try await task.receive() }
    await Eventually.expect("the delegate has heard of the end") { delegate.heard.withLock { $0.count } == 3 }
    #expect(delegate.heard.withLock { $0 } == ["open nil", "close 1001 nil", "complete -999"])
    #expect(task.closeCode == .goingAway)
    #expect((task.error as? URLError)?.code == .cancelled)
  }

  @Test func cancelling() async throws {
    let task = try open("/websocket/echo")
    try await task.send(.string("hello"))
    async let receiving: (any Error)? = {
      do {
        _ = try await task.receive()
        _ = try await task.receive()
        return nil
      } catch { return error }
    }()
    await Eventually.expect("one has come") { task.countOfBytesReceived == 5 }
    task.cancel()
    #expect((await receiving as? URLError)?.code == .cancelled)
    await Eventually.expect("the connection goes") { origin.openConnections == 0 }
    // Never begun.
    let other = session.webSocketTask(with: try url("/websocket/echo"))
    other.cancel()
    await expect(.cancelled) { _ = try await other.receive() }
  }

  /// Who does not want a message any more leaves it to the next.
  @Test func cancellingOneReceive() async throws {
    let task = try open("/websocket/echo")
    let waiting = Task.immediate { try await task.receive() }
    waiting.cancel()
    let result = await waiting.result
    #expect(throws: URLError.self) { try result.get() }
    try await task.send(.string("kept"))
    #expect(try await task.receive() == .string("kept"))
    task.cancel()
  }

  @Test func invalidatingTheSession() async throws {
    let session = URLSession(configuration: .ephemeral)
    let task = session.webSocketTask(with: try url("/websocket/echo"))
    task.resume()
    try await task.send(.string("hello"))
    session.invalidateAndCancel()
    await Eventually.expect("it has completed") { task.state == .completed }
    #expect((task.error as? URLError)?.code == .cancelled)
  }

  // MARK: Failures

  /// What an answer to the handshake must not be, and whose fault it is said to be.
  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", WebSocketError.Rule.notSwitching(status: 200)),
    ("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", .notSwitching(status: 404)),
    ("HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n", .missingUpgrade),
    (
      "HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n",
      .wrongAccept
    ),
  ])
  func whatIsNoHandshakeIsRefused(answer: String, rule: WebSocketError.Rule) async throws {
    origin.script("/no", [.bytes(Array(answer.utf8))])
    let task = try open("/no")
    let error = await expect(.badServerResponse) { _ = try await task.receive() }
    #expect(error?.transportFailure?.webSocketViolation == WebSocketError(rule))
    #expect(error?.loadingFault == .server)
    #expect(task.response is HTTPURLResponse)
    await expect(.badServerResponse) { try await task.send(.string("x")) }
    await Eventually.expect("the connection goes") { origin.openConnections == 0 }
  }

  private func redirect(from path: String, to target: String, of origin: Origin) {
    origin.script(path, .response(status: 302, fields: [("Location", target)]))
  }

  /// WHATWG, WebSockets §2: the mode of redirects is *error*.
  @Test func aRedirectFailsTheHandshake() async throws {
    redirect(from: "/there", to: "\(try url("/websocket/echo"))", of: origin)
    let task = try open("/there")
    await expect(.badServerResponse) { _ = try await task.receive() }
    #expect(origin.requests.map(\.path) == ["/there"])
    #expect((task.response as? HTTPURLResponse)?.statusCode == 302)
  }

  /// Not even where redirects are followed.
  @Test(arguments: ["ws", "http"], ["wss", "https"])
  func aRedirectDoesNotLeadOutOfTLS(weaker: String, scheme: String) async throws {
    let secure = try Origin.start(security: .tls)
    redirect(from: "/there", to: "\(weaker)://localhost:\(origin.port)/websocket/echo", of: secure)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.followsWebSocketRedirects = true
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: secure.authority ?? ""))])
    let session = URLSession(configuration: configuration)
    let task = session.webSocketTask(
      with: try #require(URL(string: "\(scheme)://localhost:\(secure.port)/there")))
    task.resume()
    // Nothing but a WebSocket's own scheme leads to one.
    let isOtherScheme = scheme == "https" && weaker == "ws"
    await expect(isOtherScheme ? .unsupportedURL : .appTransportSecurityRequiresSecureConnection) {
      _ = try await task.receive()
    }
    #expect(secure.requests.count == 1 && origin.requests.isEmpty)
    session.invalidateAndCancel()
  }

  @Test func aRedirectIsFollowedWhereTheConfigurationSaysSo() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.followsWebSocketRedirects = true
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    origin.script(
      "/there",
      [
        .bytes(
          Array("HTTP/1.1 302 F\r\nLocation: \(try url("/websocket/echo"))\r\nContent-Length: 0\r\n\r\n".utf8)
        )
      ])
    let task = session.webSocketTask(with: try url("/there"))
    task.resume()
    try await task.send(.string("hello"))
    #expect(try await task.receive() == .string("hello"))
    let keys = origin.requests.map { $0.value("Sec-WebSocket-Key") }
    #expect(keys.count == 2 && keys[0] != keys[1])
    task.cancel()
  }

  @Test func aMessageOverTheLimitEndsIt() async throws {
    let task = try open("/websocket/echo")
    task.maximumMessageSize = 1000
    try await task.send(.data(Data(count: 1000)))
    #expect(try await task.receive() == .data(Data(count: 1000)))
    try await task.send(.data(Data(count: 1001)))
    let error = await expect(.dataLengthExceedsMaximum) { _ = try await task.receive() }
    #expect(error?.loadingPhase == .exchangingMessages)
  }

  @Test func aLostConnectionIsAFailure() async throws {
    let task = try open("/websocket/echo")
    try await task.send(.string("hello"))
    _ = try await task.receive()
    origin.dropConnections()
    let error = await expect(.networkConnectionLost) { _ = try await task.receive() }
    #expect(error?.localizedDescription.contains("without a Close") == true)
    await Eventually.expect("it has completed") { task.state == .completed }
    #expect(task.closeCode == .invalid)
  }

  @Test func nobodyListens() async throws {
    let port = try ClosedPort()
    let task = session.webSocketTask(with: try #require(URL(string: "ws://127.0.0.1:\(port.number)/")))
    task.resume()
    await expect(.cannotConnectToHost) { try await task.send(.string("x")) }
  }

  /// What cannot be asked for is refused before anything is sent.
  @Test func whatAHandshakeCannotHave() async throws {
    var requests = [URLRequest](repeating: URLRequest(url: try url("/websocket/echo")), count: 5)
    requests[0].httpMethod = "POST"
    requests[1].httpBody = Data("x".utf8)
    requests[2].setValue("x", forHTTPHeaderField: "Sec-WebSocket-Key")
    requests[3].setValue("permessage-bzip2", forHTTPHeaderField: "Sec-WebSocket-Extensions")
    requests[4].setValue("a b", forHTTPHeaderField: "Sec-WebSocket-Protocol")
    for request in requests {
      let task = session.webSocketTask(with: request)
      task.resume()
      let error = await expect(.unsupportedURL) { _ = try await task.receive() }
      #expect(error?.refusedSetting != nil)
      #expect(error?.loadingFault == .caller)
    }
    #expect(origin.connectionCount == 0)
  }

  /// What leads nowhere on the network is no WebSocket, whatever it leads to.
  @Test(arguments: ["file:///etc/hostname", "data:text/plain,hello", "ftp://127.0.0.1/"])
  func whatIsOpenedIsOnTheNetwork(address: String) async throws {
    let task = session.webSocketTask(with: try #require(URL(string: address)))
    task.resume()
    let error = await expect(.unsupportedURL) { _ = try await task.receive() }
    #expect(error?.loadingFault == .caller)
    await Eventually.expect("it has completed") { task.state == .completed }
    #expect((task.error as? URLError)?.code == .unsupportedURL)
  }

  /// Classes that load in a server's place cannot exchange messages.
  @Test func classesAreNotAskedAboutWebSockets() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [AnswersEverything.self]
    let task = URLSession(configuration: configuration).webSocketTask(with: try url("/websocket/echo"))
    task.resume()
    try await task.send(.string("hello"))
    #expect(try await task.receive() == .string("hello"))
    task.cancel()
  }

  /// What the session says for all requests counts for a handshake, too.
  @Test func aSubprotocolOfTheSessions() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["Sec-WebSocket-Protocol": "first, second"]
    let session = URLSession(configuration: configuration)
    let task = session.webSocketTask(with: try url("/websocket/echo"), protocols: ["third"])
    task.resume()
    try await task.send(.string("hello"))
    #expect(try await task.receive() == .string("hello"))
    #expect(origin.requests.first?.values("Sec-WebSocket-Protocol") == ["first, second, third"])
    task.cancel()
    var request = URLRequest(url: try url("/websocket/echo"))
    request.setValue("own", forHTTPHeaderField: "Sec-WebSocket-Protocol")
    let other = session.webSocketTask(with: request)
    other.resume()
    try await other.send(.string("hello"))
    #expect(origin.requests.last?.values("Sec-WebSocket-Protocol") == ["own"])
    other.cancel()
  }

  @Test func anExtensionOfTheSessionsIsRefused() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["Sec-WebSocket-Extensions": "permessage-bzip2"]
    configuration.webSocketCompression = nil
    let task = URLSession(configuration: configuration).webSocketTask(with: try url("/websocket/echo"))
    task.resume()
    let error = await expect(.unsupportedURL) { _ = try await task.receive() }
    #expect(error?.refusedSetting?.member == "URLSessionConfiguration.httpAdditionalHeaders")
    #expect(origin.connectionCount == 0)
  }

  @Test(arguments: [WebSocketCompression(ownWindowBits: 20), WebSocketCompression(peerWindowBits: 7)])
  func aWindowOfAnImpossibleSizeIsNamed(compression: WebSocketCompression) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.webSocketCompression = compression
    let task = URLSession(configuration: configuration).webSocketTask(with: try url("/websocket/echo"))
    task.resume()
    let error = await expect(.unsupportedURL) { _ = try await task.receive() }
    #expect(error?.refusedSetting?.member.contains("webSocketCompression") == true)
  }

  /// ws and wss are for WebSockets alone.
  @Test func dataTasksDoNotSpeakWebSocket() async throws {
    let address = try url("/get")
    await expect(.unsupportedURL) { _ = try await session.data(from: address) }
    origin.script(
      "/there", [.bytes(Array("HTTP/1.1 302 F\r\nLocation: \(address)\r\nContent-Length: 0\r\n\r\n".utf8))])
    let plain = try #require(URL(string: origin.baseURL + "/there"))
    await expect(.unsupportedURL) { _ = try await session.data(from: plain) }
  }

  // MARK: Back-pressure

  /// A task that is not asked keeps little, and loses nothing.
  @Test func whatNobodyAsksForStopsTheServer() async throws {
    let task = try open("/websocket/payloads/1000")
    let other = try open("/websocket/echo")
    try await other.send(.data(Data(count: 900_000)))
    await Eventually.expect("something has come") { task.countOfBytesReceived > 0 }
    #expect(task.countOfBytesReceived < 600_000)
    for _ in 0..<1000 { _ = try await task.receive() }
    await expect(.networkConnectionLost) { _ = try await task.receive() }
    other.cancel()
  }

  /// Who asks again when a message is handed over gets the next one afterwards: else the stack would grow with what has come.
  @Test func whoAsksAgainIsNotServedFromWithin() async throws {
    let task = try open("/websocket/echo")
    for _ in 0..<200 { try await task.send(.string("x")) }
    await Eventually.expect("all has come") { task.countOfBytesReceived == 200 }
    let asker = Asker(task, count: 200)
    asker.ask()
    await Eventually.expect("all is heard") { asker.heard.withLock { $0.count } == 200 }
    #expect(asker.heard.withLock { $0.deepest } == 1)
    task.cancel()
  }

  @Test func aSuspendedTaskHearsNothing() async throws {
    let task = try open("/websocket/echo")
    try await task.send(.string("one"))
    #expect(try await task.receive() == .string("one"))
    task.suspend()
    try await task.send(.string("two"))
    let before = task.countOfBytesReceived
    task.resume()
    #expect(try await task.receive() == .string("two"))
    #expect(before == 3)
    task.cancel()
  }

  /// RFC 6455 §7.4.1, and RFC 6455 §7.4.2 for whatever else a server may say.
  @Test func closeCodesHaveTheirNumbers() {
    typealias Code = URLSessionWebSocketTask.CloseCode
    let codes: [(Code, Int)] = [
      (.invalid, 0), (.normalClosure, 1000), (.goingAway, 1001), (.protocolError, 1002),
      (.unsupportedData, 1003), (.noStatusReceived, 1005), (.abnormalClosure, 1006),
      (.invalidFramePayloadData, 1007), (.policyViolation, 1008), (.messageTooBig, 1009),
      (.mandatoryExtensionMissing, 1010), (.internalServerError, 1011), (.tlsHandshakeFailure, 1015),
    ]
    for (code, number) in codes {
      #expect(code.rawValue == number && Code(rawValue: number) == code)
    }
    #expect(Set(codes.map(\.0)).count == codes.count)
    #expect(Code(rawValue: 4999)?.rawValue == 4999)
    #expect(Code(rawValue: -1) == nil && Code(rawValue: 65_536) == nil)
  }
}

/// Asks for message after message, each time from within the last one's handler.
private final class Asker: Sendable {
  let heard = Locked((count: 0, depth: 0, deepest: 0))
  private let task: URLSessionWebSocketTask
  private let count: Int

  init(_ task: URLSessionWebSocketTask, count: Int) { (self.task, self.count) = (task, count) }

  func ask() {
    task.receive(on: .loop(.shared)) { [self] result in
      guard case .success = result else { return }
      let isLast = heard.withLock { heard in
        heard.count += 1
        heard.depth += 1
        heard.deepest = max(heard.deepest, heard.depth)
        return heard.count == count
      }
      if !isLast { ask() }
      heard.withLock { $0.depth -= 1 }
    }
  }
}

/// Answers whatever it is asked with an empty 200.
private final class AnswersEverything: URLProtocol, @unchecked Sendable {
  override class func canInit(with request: URLRequest) -> Bool { true }

  override func startLoading() {
    guard let client, let url = request.url,
      let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
    else { return }
    client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// Remembers what a delegate of WebSockets is told.
private final class WebSocketRecorder: URLSessionWebSocketDelegate {
  let heard = Locked<[String]>([])

  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
  ) {
    heard.withLock { $0.append("open \(`protocol` ?? "nil")") }
  }

  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {
    let words = reason.map { String(decoding: $0, as: UTF8.self) } ?? "nil"
    heard.withLock { $0.append("close \(closeCode.rawValue) \(words)") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let code = (error as? URLError).map { "\($0.code.rawValue)" } ?? "nil"
    heard.withLock { $0.append("complete \(code)") }
  }
}
