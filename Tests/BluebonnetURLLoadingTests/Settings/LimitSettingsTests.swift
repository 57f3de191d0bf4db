// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetTransport
import BluebonnetURLLoading
import Testing

/// Each limit of the wire and the pool has its effect, and nonsense is refused.
@Suite struct LimitSettingsTests {
  private let origin: Origin

  init() throws { origin = try Origin.start() }

  private func load(
    _ reply: ScriptedReply, _ change: (URLSessionConfiguration) -> Void
  ) async throws -> Result<Int, URLError> {

    origin.script("/scripted", reply)
    let configuration = URLSessionConfiguration.ephemeral
    change(configuration)
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: origin.baseURL + "/scripted"))
    do {
      return .success(try await session.data(from: url).0.count)
    } catch let error as URLError {
      return .failure(error)
    }
  }

  private func head(fields: Int, of size: Int) -> ScriptedReply {
    .response(
      fields: (0..<fields).map { ("x-\($0)", String(repeating: "v", count: size)) }, body: "hello".utf8)
  }

  @Test func theHeadHasALimit() async throws {
    let reply = head(fields: 20, of: 100)
    #expect(try await load(reply) { _ in }.get() == 5)
    #expect(try await load(reply) { $0.responseHeadLimit = 4096 }.get() == 5)
    let refused = try await load(reply) { $0.responseHeadLimit = 1024 }
    let error = #expect(throws: URLError.self) { try refused.get() }
    #expect(error?.code == .cannotParseResponse)
    // Beyond the default, for whoever wants it.
    let large = head(fields: 5, of: 40_000)
    await #expect(throws: URLError.self) { try await load(large) { _ in }.get() }
    #expect(try await load(large) { $0.responseHeadLimit = 1 << 20 }.get() == 5)
  }

  @Test func aLineHasALimit() async throws {
    let reply = head(fields: 1, of: 1000)
    #expect(try await load(reply) { $0.responseLineLimit = 2000 }.get() == 5)
    await #expect(throws: URLError.self) { try await load(reply) { $0.responseLineLimit = 500 }.get() }
    #expect(try await load(head(fields: 1, of: 70_000)) { $0.responseLineLimit = 80_000 }.get() == 5)
  }

  @Test func fieldsHaveALimit() async throws {
    // Content-Length is one, too.
    let reply = head(fields: 20, of: 1)
    #expect(try await load(reply) { $0.responseFieldLimit = 21 }.get() == 5)
    await #expect(throws: URLError.self) { try await load(reply) { $0.responseFieldLimit = 20 }.get() }
    let many = head(fields: 1000, of: 1)
    await #expect(throws: URLError.self) { try await load(many) { _ in }.get() }
    #expect(try await load(many) { $0.responseFieldLimit = 2000 }.get() == 5)
  }

  @Test func interimResponsesHaveALimit() async throws {
    let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 3)
    let reply = ScriptedReply.text(interim + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    #expect(try await load(reply) { $0.interimResponseLimit = 3 }.get() == 5)
    await #expect(throws: URLError.self) { try await load(reply) { $0.interimResponseLimit = 2 }.get() }
    await #expect(throws: URLError.self) { try await load(reply) { $0.interimResponseLimit = 0 }.get() }
  }

  @Test(arguments: [0, 0.02]) func idleConnectionsAreClosedInTime(seconds: TimeInterval) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForIdleConnections = seconds
    let session = URLSession(configuration: configuration)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    for turn in 1...2 {
      _ = try await session.data(from: url)
      await Eventually.expect("its connection is closed") { origin.openConnections == 0 }
      #expect(origin.connectionCount == turn)
    }
    session.invalidateAndCancel()
  }

  @Test func idleConnectionsAreKeptForLonger() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForIdleConnections = 1e9
    let session = URLSession(configuration: configuration)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    for _ in 1...3 { _ = try await session.data(from: url) }
    #expect(origin.connectionCount == 1)
    session.invalidateAndCancel()
  }

  /// The server never sends a 100; it answers after a while, whether the body has come or not.
  @Test(arguments: [(0, 1000), (0.02, 1000), (1000, 0)])
  func theBodyWaitsForA100ForThatLong(patience: TimeInterval, sent: Int64) async throws {
    origin.script("/silent", ScriptedReply([.hang], at: .head))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForContinue = patience
    let clock = configuration.stopClock()
    let session = URLSession(configuration: configuration)
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/silent")))
    request.httpMethod = "POST"
    request.setValue("100-continue", forHTTPHeaderField: "Expect")
    let answered = Signal()
    let task = session.uploadTask(with: request, from: Data(repeating: 1, count: 1000)) { _, response, _ in
      if (response as? HTTPURLResponse)?.statusCode == 200 { answered.raise() }
    }
    task.resume()
    await Eventually.expect("the head has come") { [origin] in origin.hangingConnections == 1 }
    clock.advance(by: .milliseconds(19))
    #expect(task.countOfBytesSent == (patience == 0 ? 1000 : 0))
    clock.advance(by: .milliseconds(1))
    #expect(task.countOfBytesSent == sent)
    let connection = try #require(origin.requests.last?.connection)
    origin.interject(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8), on: connection)
    await Eventually.expect("it is answered") { answered.wait(seconds: 0) }
    #expect(task.countOfBytesSent == sent)
    session.invalidateAndCancel()
  }

  /// The first address keeps silent; the second is the origin's, which is reached within the request's time only if it is
  /// tried soon enough.
  @Test(arguments: [(0.02, 1000), (2, 0.5)])
  func theNextAddressIsTriedAfterTheDelay(delay: TimeInterval, time: TimeInterval) async throws {
    let silent = try SilentListener(port: origin.port)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionAttemptDelay = delay
    configuration.timeoutIntervalForConnection = time
    configuration.resolver = { _ in
      .success([
        silent.address, SocketAddress(literal: "127.0.0.1", port: 0) ?? silent.address,
      ])
    }
    let clock = configuration.stopClock()
    let session = URLSession(configuration: configuration)
    let url = try #require(URL(string: "http://two.test:\(origin.port)/get"))
    let ended = Locked<(response: URLResponse?, error: (any Error)?)?>(nil)
    session.dataTask(with: url) { _, response, error in ended.withLock { $0 = (response, error) } }.resume()
    await clock.advance(by: .milliseconds(20), until: "one of the two is reached, or none") { [origin] in
      origin.connectionCount > 0 || ended.withLock { $0 } != nil
    }
    await Eventually.expect("it ends") { ended.withLock { $0 } != nil }
    let result = try #require(ended.withLock { $0 })
    if delay < time {
      #expect((result.response as? HTTPURLResponse)?.statusCode == 200)
    } else {
      #expect((result.error as? URLError)?.code == .timedOut)
      #expect(origin.connectionCount == 0)
    }
    session.invalidateAndCancel()
  }

  static let nonsense: [RefusedSettingsTests.Setting<URLSessionConfiguration>] = [
    .init("responseHeadLimit", "0") { $0.responseHeadLimit = 0 },
    .init("responseHeadLimit", "huge") { $0.responseHeadLimit = .max },
    .init("responseLineLimit", "negative") { $0.responseLineLimit = -1 },
    .init("responseFieldLimit", "negative") { $0.responseFieldLimit = -1 },
    .init("responseFieldLimit", "huge") { $0.responseFieldLimit = 1_000_001 },
    .init("interimResponseLimit", "negative") { $0.interimResponseLimit = -1 },
    .init("timeoutIntervalForIdleConnections", "negative") { $0.timeoutIntervalForIdleConnections = -1 },
    .init("timeoutIntervalForIdleConnections", "infinite") {
      $0.timeoutIntervalForIdleConnections = .infinity
    },
    .init("timeoutIntervalForContinue", "no number") { $0.timeoutIntervalForContinue = .nan },
    .init("timeoutIntervalForContinue", "negative") { $0.timeoutIntervalForContinue = -0.001 },
    .init("connectionAttemptDelay", "too short") { $0.connectionAttemptDelay = 0.001 },
    .init("connectionAttemptDelay", "too long") { $0.connectionAttemptDelay = 2.001 },
    .init("connectionAttemptDelay", "no number") { $0.connectionAttemptDelay = .nan },
    .init("chunkOverheadLimit", "negative") { $0.chunkOverheadLimit = -1 },
    .init("chunkOverheadLimit", "huge") { $0.chunkOverheadLimit = .max },
    .init("connectionLimit", "0") { $0.connectionLimit = 0 },
    .init("connectionLimit", "huge") { $0.connectionLimit = 1_000_001 },
    .init("requestLimit", "0") { $0.requestLimit = 0 },
    .init("requestLimit", "huge") { $0.requestLimit = 1_000_001 },
    .init("requestLimitPerHost", "negative") { $0.requestLimitPerHost = -1 },
    .init("requestLimitPerHost", "huge") { $0.requestLimitPerHost = .max },
    .init("lookupLimit", "0") { $0.lookupLimit = 0 },
    .init("lookupLimit", "huge") { $0.lookupLimit = 10_001 },
    .init("redirectLimit", "negative") { $0.redirectLimit = -1 },
    .init("timeoutIntervalForConnection", "negative") { $0.timeoutIntervalForConnection = -1 },
    .init("timeoutIntervalForConnection", "infinite") { $0.timeoutIntervalForConnection = .infinity },
    .init("timeoutIntervalForWaiting", "no number") { $0.timeoutIntervalForWaiting = .nan },
    .init("timeoutIntervalForWaiting", "negative") { $0.timeoutIntervalForWaiting = -0.001 },
    .init("decompressionLimitInMemory.bytes", "negative") { $0.decompressionLimitInMemory.bytes = -1 },
    .init("decompressionLimitInMemory.ratio", "0") { $0.decompressionLimitInMemory.ratio = 0 },
    .init("decompressionLimitWhenStreaming.ratioThreshold", "negative") {
      $0.decompressionLimitWhenStreaming.ratioThreshold = -1
    },
  ]

  @Test(arguments: nonsense)
  func nonsenseIsRefused(_ setting: RefusedSettingsTests.Setting<URLSessionConfiguration>) async throws {
    var configuration = URLSessionConfiguration.ephemeral
    setting.change(&configuration)
    let session = URLSession(configuration: configuration)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.refusedSetting?.member == "URLSessionConfiguration.\(setting.member)")
    #expect(origin.connectionCount == 0)
    session.invalidateAndCancel()
  }

  /// Also where nothing goes over the network: what loads it is no reason to overlook the mistake.
  @Test(arguments: nonsense)
  func nonsenseIsRefusedWhateverLoads(_ setting: RefusedSettingsTests.Setting<URLSessionConfiguration>)
    async throws
  {
    func load(_ address: String, by classes: [AnyClass], isKept: Bool = false) async throws {
      var configuration = URLSessionConfiguration.ephemeral
      setting.change(&configuration)
      configuration.protocolClasses = classes
      let url = try #require(URL(string: address))
      var request = URLRequest(url: url)
      if isKept {
        let response = try #require(
          HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        configuration.urlCache?.storeCachedResponse(
          CachedURLResponse(response: response, data: Data()), for: request)
        request.cachePolicy = .returnCacheDataElseLoad
      }
      let session = URLSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      let asked = request
      let error = await #expect(throws: URLError.self) { try await session.data(for: asked) }
      #expect(error?.refusedSetting?.member == "URLSessionConfiguration.\(setting.member)")
    }
    try await load("http://stub.test/", by: [RefusedSettingsTests.Stub.self])
    try await load("data:,hello", by: [])
    try await load("http://kept.test/", by: [], isKept: true)
  }

  /// The ends of the ranges belong to them.
  @Test(arguments: [false, true])
  func theEndsOfTheRangesAreAllowed(isUpper: Bool) async throws {
    let size = try await load(.response(body: "hello".utf8)) {
      $0.chunkOverheadLimit = isUpper ? Int(Int32.max) : 0
      $0.connectionLimit = isUpper ? 1_000_000 : 1
      $0.lookupLimit = isUpper ? 10_000 : 1
      $0.requestLimit = isUpper ? 1_000_000 : 1
      $0.requestLimitPerHost = isUpper ? 1_000_000 : 1
      $0.redirectLimit = isUpper ? .max : 0
      $0.timeoutIntervalForConnection = isUpper ? 1e9 : 0
      $0.timeoutIntervalForWaiting = isUpper ? 1e9 : 0
      let limit = URLSessionConfiguration.DecompressionLimit(
        bytes: isUpper ? .max : 0, ratio: isUpper ? .max : 1, ratioThreshold: isUpper ? .max : 0)
      ($0.decompressionLimitInMemory, $0.decompressionLimitWhenStreaming) = (limit, limit)
    }
    #expect(try size.get() == 5)
  }

  @Test func theDefaultsAreAsDocumented() {
    let configuration = URLSessionConfiguration.default
    #expect(configuration.responseHeadLimit == 131_072)
    #expect(configuration.responseLineLimit == 65_536)
    #expect(configuration.responseFieldLimit == 512)
    #expect(configuration.interimResponseLimit == 32)
    #expect(configuration.timeoutIntervalForIdleConnections == 60)
    #expect(configuration.timeoutIntervalForContinue == 1)
    #expect(configuration.connectionAttemptDelay == 0.25)
    #expect(configuration.connectionLimit == 256)
    #expect(configuration.lookupLimit == nil)
    #expect(configuration.requestLimit == nil)
    #expect(configuration.requestLimitPerHost == nil)
    #expect(configuration.redirectLimit == 20)
    #expect(configuration.timeoutIntervalForConnection == nil)
    #expect(configuration.timeoutIntervalForWaiting == nil)
    #expect(configuration.chunkOverheadLimit == 16_384)
    #expect(configuration.decompressionLimitInMemory == .inMemory)
    #expect(configuration.decompressionLimitWhenStreaming == .none)
  }
}
