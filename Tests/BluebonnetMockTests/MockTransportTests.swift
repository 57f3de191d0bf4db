// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetMock
import BluebonnetOrigin
import BluebonnetTestSupport
import Synchronization
import Testing

@Suite struct MockTransportTests {
  private static let base = "https://api.test"

  /// The closures are tasks, which wait for their turn behind those of all other tests.
  private func patient(_ mock: MockTransport) -> Session {
    let configuration = mock.configuration
    configuration.timeoutIntervalForRequest = 600
    return Session(configuration: configuration)
  }

  private func code(_ error: AFError?) -> URLError.Code? { (error?.underlyingError as? URLError)?.code }

  @Test(arguments: ["https://api.test/a", "http://api.test/a", "http://api.test:8080/a", "http://[::1]/a"])
  func anyAddressIsAnswered(address: String) async throws {
    let mock = MockTransport()
    mock.on(address, .json(7))
    let session = patient(mock)
    #expect(try await session.request(address).serializingDecodable(Int.self).value == 7)
    #expect(mock.requests.map(\.url.absoluteString) == [address])
    #expect(mock.unansweredRequests.isEmpty)
  }

  /// The first that is set for a spelling of the address counts, from the most telling to the least.
  @Test func addresses() async throws {
    let mock = MockTransport()
    mock.on("/a", .text("path", status: 200))
    mock.on("/a", method: .put, .text("put", status: 200))
    mock.on("/a?q=1", .text("query", status: 200))
    mock.on("https://api.test/a?q=2", .text("all of it", status: 200))
    mock.on("HTTPS://API.test:443/b", .text("origin", status: 200))
    mock.on("https://other.test", .text("root", status: 200))
    let session = patient(mock)
    for (address, method, text): (String, HTTPMethod, String) in [
      ("\(Self.base)/a", .get, "path"), ("http://else.test/a", .post, "path"),
      ("\(Self.base)/a", .put, "put"),
      ("\(Self.base)/a?q=1", .get, "query"), ("\(Self.base)/a?q=2", .get, "all of it"),
      ("\(Self.base)/a?q=3", .get, "path"), ("\(Self.base)/b", .get, "origin"),
      ("https://other.test", .get, "root"),
    ] {
      #expect(try await session.request(address, method: method).serializingString().value == text)
    }
    mock.on("/a?q=1")
    #expect(try await session.request("\(Self.base)/a?q=1").serializingString().value == "path")
  }

  @Test func whatIsNotSet() async throws {
    let mock = MockTransport()
    let session = patient(mock)
    let response = await session.request("\(Self.base)/a?q=1", method: .delete).serializingString().response
    #expect(response.response?.statusCode == 501)
    #expect(response.value == "the mock has no answer to DELETE https://api.test/a?q=1")
    #expect(mock.unansweredRequests.map(\.method) == [.delete])
    mock.otherwise { request in .json(request.url.lastPathComponent) }
    #expect(try await session.request("\(Self.base)/b").serializingDecodable(String.self).value == "b")
    #expect(mock.unansweredRequests.count == 1 && mock.requests.count == 2)
    mock.forgetRequests()
    #expect(mock.requests.isEmpty && mock.unansweredRequests.isEmpty)
  }

  @Test func anAnswerThatFails() async {
    struct Mistake: Error {}
    let mock = MockTransport()
    mock.on("/a") { _ in throw Mistake() }
    let session = patient(mock)
    let response = await session.request("\(Self.base)/a").serializingString().response
    #expect(response.response?.statusCode == 500)
    #expect(response.value?.contains("Mistake") == true)
  }

  /// What an answer keeps may ask the mock at its end.
  @Test(arguments: [false, true]) func anAnswerThatIsReplacedMayAsk(isFallback: Bool) {
    let mock = MockTransport()
    let heard = Signal()
    let word = {
      LastWord { [weak mock] in
        _ = mock?.requests
        heard.raise()
      }
    }
    if isFallback {
      mock.otherwise { [word = word()] _ in .status(withExtendedLifetime(word) { 200 }) }
    } else {
      mock.on("/a") { [word = word()] _ in .status(withExtendedLifetime(word) { 200 }) }
    }
    #expect(Signal.isRaised { isFallback ? mock.otherwise(nil) : mock.on("/a", .status(204)) })
    #expect(heard.wait(seconds: 5))
  }

  @Test func bodiesAndFields() async throws {
    struct Form: Codable, Equatable { var name = "a b" }
    let mock = MockTransport()
    mock.otherwise { request in .data(request.body, type: request.headers["Content-Type"] ?? "none") }
    let session = patient(mock)
    let echoed = try await session.request(
      "\(Self.base)/a", method: .post, parameters: Form(), encoder: .json, headers: ["X-A": "1"]
    ).serializingDecodable(Form.self).value
    #expect(echoed == Form())
    let request = try #require(mock.requests.first)
    #expect(request.headers["x-a"] == "1" && request.headers["Host"] == "api.test")
    #expect(try request.decode(Form.self) == Form())
    // As a server has it, chunked framing is gone.
    let stream = InputStream(data: Data("streamed".utf8))
    #expect(try await session.upload(stream, to: "\(Self.base)/a").serializingString().value == "streamed")
  }

  /// Redirects, cookies, challenges and content codings are those of a real load.
  @Test func whatStandsAboveTheNetworkIsReal() async throws {
    let mock = MockTransport()
    mock.on(
      "/from", .status(302, headers: ["Location": "https://other.test/to", "Set-Cookie": "a=1; Path=/"]))
    mock.on("https://other.test/to", .json("there"))
    mock.on("/cookie") { request in .json(request.headers["Cookie"] ?? "") }
    mock.on("/private") { request in
      request.headers["Authorization"] == nil
        ? .status(401, headers: ["WWW-Authenticate": "Basic realm=\"r\""]) : .json("in")
    }
    mock.on("/get", .endpoint)
    mock.on("/gzip", .endpoint)
    let session = patient(mock)
    let moved = await session.request("\(Self.base)/from").serializingDecodable(String.self).response
    #expect(moved.value == "there" && moved.response?.url?.absoluteString == "https://other.test/to")
    #expect(moved.metrics?.redirectCount == 1 && moved.metrics?.transactionMetrics.count == 2)
    #expect(try await session.request("\(Self.base)/cookie").serializingDecodable(String.self).value == "a=1")
    let secret = session.request("\(Self.base)/private").authenticate(username: "u", password: "p")
    #expect(try await secret.serializingDecodable(String.self).value == "in")
    // The endpoints of the origin.
    let echo = try await session.request("\(Self.base)/get?a=1").serializingString().value
    #expect(echo.contains("https:") && echo.contains("api.test"))
    let coded = await session.request("\(Self.base)/gzip").serializingString().response
    #expect(
      coded.response?.headers["Content-Encoding"] == "gzip" && coded.value?.contains("api.test") == true)
  }

  @Test func headIsAnsweredWithoutABody() async {
    let mock = MockTransport()
    mock.on("/a", .json("body"))
    mock.on("/b") { _ in .text("body", status: 404) }
    let session = patient(mock)
    let first = await session.request("\(Self.base)/a", method: .head).serializingData().response
    #expect(first.response?.headers["Content-Length"] == "6" && first.value?.isEmpty == true)
    let second = await session.request("\(Self.base)/b", method: .head).serializingData().response
    #expect(second.response?.statusCode == 404)
    // Nothing was left over on the connection.
    #expect(mock.connectionCount == 1)
  }

  /// Also to one whose head comes in more than one piece.
  @Test func headIsAnsweredWithoutABodyDropByDrop() async {
    let mock = MockTransport()
    mock.on("/a", .json("body").dripping(size: 3, every: 0))
    let session = Session(configuration: mock.configuration)
    for _ in 0..<2 {
      let response = await session.request("\(Self.base)/a", method: .head).serializingData().response
      #expect(response.response?.headers["Content-Length"] == "6" && response.error == nil)
    }
    #expect(mock.connectionCount == 1)
  }

  /// The origin only counts what comes to its `/upload`, and has had enough of other bodies at ten million bytes. The mock
  /// is asked about all of them.
  @Test(arguments: ["/upload", "/any"]) func everyBodyArrives(path: String) async throws {
    let mock = MockTransport()
    mock.otherwise { request in .json(request.body.count) }
    let session = Session(configuration: mock.configuration)
    for size in [4, 10_500_000] {
      let count = try await session.upload(Data(count: size), to: Self.base + path).serializingDecodable(
        Int.self
      ).value
      #expect(count == size)
    }
    #expect(mock.requests.map(\.body.count) == [4, 10_500_000])
  }

  @Test func connectionsAreKept() async throws {
    let mock = MockTransport()
    mock.otherwise { _ in .json(1) }
    let session = patient(mock)
    for number in 0..<20 { _ = try await session.request("\(Self.base)/\(number)").serializingData().value }
    #expect(mock.connectionCount == 1 && mock.requests.count == 20)
    mock.dropConnections()
    _ = try await session.request("\(Self.base)/again").serializingData().value
    #expect(mock.connectionCount == 2)
  }

  @Test func manyAtOnce() async throws {
    let mock = MockTransport()
    mock.otherwise { request in .json(request.url.lastPathComponent) }
    let session = patient(mock)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<300 {
        group.addTask {
          let text = try await session.request("\(Self.base)/\(number)").serializingDecodable(String.self)
            .value
          return text == "\(number)"
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(mock.requests.count == 300)
  }

  /// More than the channel holds, both ways, and slower than the other side.
  @Test func largeBodies() async throws {
    let mock = MockTransport()
    let body = Data([UInt8](cycling: 5_000_000))
    mock.on("/up") { request in .json(request.body == body) }
    mock.on("/down", .data(body))
    mock.on(
      "/endless",
      ScriptedReply([.bytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)), .repeating([1, 2, 3], count: nil)]))
    let session = patient(mock)
    #expect(try await session.upload(body, to: "\(Self.base)/up").serializingDecodable(Bool.self).value)
    #expect(try await session.request("\(Self.base)/down").serializingData().value == body)
    let download = try await session.download("\(Self.base)/down").serializingData().value
    #expect(download == body)
    let received = Atomic(0)
    let request = session.streamRequest("\(Self.base)/endless")
    let isOver = Signal()
    request.responseStream(on: .global()) { stream in
      switch stream.event {
      case .stream(.success(let data)):
        if received.add(data.count, ordering: .relaxed).newValue > 3_000_000 { stream.cancel() }
      case .complete: isOver.raise()
      }
    }
    #expect(await detachedWait(isOver))
  }

  private func detachedWait(_ signal: Signal) async -> Bool {
    (try? await detached { signal.wait(seconds: 300) }) ?? false
  }

  // MARK: Faults

  @Test func everyFaultOfTheNetwork() async throws {
    let mock = MockTransport()
    mock.otherwise { _ in .json(1) }
    let configuration = mock.configuration
    configuration.timeoutIntervalForRequest = 600
    configuration.timeoutIntervalForConnection = 0.1
    let session = Session(configuration: configuration)
    _ = try await session.request("\(Self.base)/a").serializingData().value
    for (network, expected): (MockTransport.Network, URLError.Code) in [
      (.offline, .notConnectedToInternet), (.refusing, .cannotConnectToHost),
      (.namesUnknown, .cannotFindHost),
      (.silent, .timedOut),
    ] {
      mock.network = network
      let error = await session.request("\(Self.base)/a").serializingData().response.error
      #expect(code(error) == expected, "\(network)")
    }
    mock.network = .up
    _ = try await session.request("\(Self.base)/a").serializingData().value
  }

  @Test func faultsOfReplies() async {
    let mock = MockTransport()
    mock.on("/reset", .reset)
    mock.on("/closed", .close)
    mock.on("/cut", .json("some text").cut(after: 75, then: .close))
    mock.on("/nonsense", .text("not HTTP\r\n\r\n"))
    mock.on("/silent", .silence)
    let session = patient(mock)
    for (path, expected): (String, URLError.Code) in [
      ("reset", .networkConnectionLost), ("closed", .networkConnectionLost), ("cut", .networkConnectionLost),
      ("nonsense", .cannotParseResponse),
    ] {
      let error = await session.request("\(Self.base)/\(path)").serializingData().response.error
      #expect(code(error) == expected, "\(path)")
    }
    let silent = await session.request("\(Self.base)/silent") { $0.timeoutInterval = 0.2 }.serializingData()
      .response
    #expect(code(silent.error) == .timedOut)
  }

  @Test func resetInTheMiddle() async {
    let mock = MockTransport()
    let isAsked = Signal()
    mock.on("/a") { _ in
      isAsked.raise()
      return .silence
    }
    let session = patient(mock)
    let task = session.request("\(Self.base)/a").serializingData()
    #expect(await detachedWait(isAsked))
    mock.dropConnections(resetting: true)
    #expect(code(await task.response.error) == .networkConnectionLost)
  }

  /// The answer comes when nobody waits for it any more.
  @Test func cancellationDuringAnAnswer() async throws {
    let mock = MockTransport()
    let (isAsked, mayAnswer) = (Signal(), Signal())
    mock.on("/slow") { _ in
      isAsked.raise()
      _ = try await detached { mayAnswer.wait(seconds: 300) }
      return .json("late")
    }
    mock.on("/next", .json("next"))
    let session = patient(mock)
    let request = session.request("\(Self.base)/slow")
    let task = request.serializingData()
    #expect(await detachedWait(isAsked))
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    mayAnswer.raise()
    #expect(try await session.request("\(Self.base)/next").serializingDecodable(String.self).value == "next")
  }

  // MARK: Sessions

  @Test func aConfigurationOfOnesOwn() async throws {
    let mock = MockTransport()
    mock.on("/a") { request in .json(request.headers["X-Own"] ?? "") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Own": "yes"]
    configuration.timeoutIntervalForRequest = 600
    configuration.eventLoop = URLSessionConfiguration.EventLoop(name: "mock test")
    mock.attach(to: configuration)
    let session = Session(configuration: configuration)
    #expect(try await session.request("\(Self.base)/a").serializingDecodable(String.self).value == "yes")
    // A plain URLSession, too.
    let url = try #require(URL(string: "\(Self.base)/a"))
    let (data, _) = try await URLSession(configuration: configuration).data(from: url)
    #expect(data == Data(#""yes""#.utf8))
  }

  @Test func offlineRequestsAreRetried() async throws {
    let mock = MockTransport()
    mock.on("/a", .json("there"))
    mock.network = .offline
    let configuration = mock.configuration
    configuration.waitsForConnectivity = true
    configuration.timeoutIntervalForRequest = 600
    let waits = Signal()
    let monitor = ClosureEventMonitor()
    monitor.taskIsWaitingForConnectivity = { _, _ in waits.raise() }
    let session = Session(configuration: configuration, eventMonitors: [monitor])
    let task = session.request("\(Self.base)/a").serializingDecodable(String.self)
    #expect(await detachedWait(waits))
    mock.network = .up
    #expect(try await task.value == "there")
  }
}
