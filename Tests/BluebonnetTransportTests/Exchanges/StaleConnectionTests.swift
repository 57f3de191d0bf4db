// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetTLS
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport

/// A server that hangs up on an idle connection may say so first: 408 (RFC 9110 §15.5.9), then a reset. If both arrive
/// between the look at the connection and the first byte of a request, nothing of the request was sent.
@Suite struct StaleConnectionTests {
  /// A body that has the server hang up when it is about to be sent, and waits until this side knows.
  private final class Trigger: BodySource {
    let canRewind: Bool
    private let hangUp: @Sendable () -> Void
    private let driver = Locked<RequestDriver?>(nil)
    private let attempts = Locked(0)
    private let offset = Locked(0)

    init(canRewind: Bool, hangUp: @escaping @Sendable () -> Void) {
      self.canRewind = canRewind
      self.hangUp = hangUp
    }

    var length: Int? { 2 }
    var replayObstacle: String? { canRewind ? nil : "it is a trigger" }

    func watch(_ driven: RequestDriver) { driver.withLock { $0 = driven } }

    func attach(signal: @escaping @Sendable () -> Void) {
      let attempt = attempts.withLock {
        $0 += 1
        return $0
      }
      guard attempt == 1 else { return }
      hangUp()
      guard case .exchanging(let connection) = driver.withLock({ $0.take() })?.state.stage,
        let socket = connection.socket
      else { return }
      // Reports an error or a hang-up without being asked.
      var waiting = pollfd(fd: socket.number, events: 0, revents: 0)
      #expect(poll(&waiting, 1, 60_000) == 1)
    }

    func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
      let rest = Array(Array("hi".utf8).dropFirst(offset.withLock { $0 }))
      guard !rest.isEmpty else { return .end }
      let taken = rest.withUnsafeBytes { use($0) }
      offset.withLock { $0 += taken }
      return .lent
    }

    func rewind() -> Bool {
      guard canRewind else { return false }
      offset.withLock { $0 = 0 }
      return true
    }
  }

  private static func receive(_ connection: Int32, until end: String) -> String {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !text.contains(end) {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return text }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return text
  }

  private static func say(_ text: String, to connection: Int32) {
    let bytes = Array(text.utf8)
    #expect(send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  private func run(
    _ request: ExchangeRequest, in pool: ConnectionPool, watchedBy trigger: Trigger? = nil
  ) async -> (record: ExchangeProbe.Record, isReused: Bool, bodyBytes: Int, isInOrder: Bool) {
    let probe = ExchangeProbe()
    let driver = pool.loop.withLoop { RequestDriver(request, in: pool, client: probe) }
    trigger?.watch(driver)
    pool.loop.execute { driver.start() }
    await Eventually.expect("it is over") { probe.record.isComplete }
    return pool.loop.withLoop {
      driver.withMetrics { metrics in
        let moments = [
          metrics.connecting?.connectEnd, metrics.requestStart, metrics.requestEnd, metrics.responseStart,
          metrics.responseEnd,
        ].compactMap(\.self)
        return (
          probe.record, metrics.reusedConnection, metrics.requestBodyBytes,
          zip(moments, moments.dropFirst()).allSatisfy { $0 <= $1 }
        )
      }
    }
  }

  @Test(
    arguments: [
      "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", "gone", "",
    ],
    [true, false])
  func whatWasSaidBeforeTheResetAnswersNothing(word: String, canRewind: Bool) async throws {
    let (asked, done) = (Signal(), Signal())
    let turn = Locked(0)
    let heard = Locked("")
    let peer = try BlockingPeer(connections: canRewind ? 2 : 1) { connection in
      let number = turn.withLock {
        $0 += 1
        return $0
      }
      let text = Self.receive(connection, until: number == 1 ? "\r\n\r\n" : "hi")
      heard.withLock { $0 = text }
      Self.say(Self.answer, to: connection)
      guard number == 1 else { return }
      #expect(asked.wait(seconds: 600))
      if !word.isEmpty { Self.say(word, to: connection) }
      // Ends the connection by a reset, at once.
      var nobody = sockaddr()
      nobody.sa_family = sa_family_t(AF_UNSPEC)
      #expect(connect(connection, &nobody, socklen_t(MemoryLayout<sockaddr>.size)) == 0)
      done.raise()
    }
    // A loop of its own, because it waits for the peer; and on a busy machine a minute may pass between two requests.
    let loop = EventLoop(name: "stale-test")
    var configuration = ConnectionPool.Configuration(tls: TLSClientConfiguration())
    configuration.idleTimeout = 600_000_000_000
    let pool = ConnectionPool(configuration: configuration, loop: loop)
    defer {
      loop.withLoop { pool.invalidate() }
      loop.stop()
    }
    #expect(await run(.plain(to: peer.port), in: pool).record.status == 200)

    let trigger = Trigger(canRewind: canRewind) {
      asked.raise()
      #expect(done.wait(seconds: 600))
    }
    var request = ExchangeRequest.plain(to: peer.port, body: .source(trigger))
    // So that it may be sent again only because nothing of it was.
    request.isIdempotent = false
    let (record, isReused, bodyBytes, isInOrder) = await run(request, in: pool, watchedBy: trigger)
    guard canRewind else {
      #expect(record.status == nil)
      #expect(record.error?.replayObstacle == "it is a trigger")
      #expect(
        record.error?.description.hasSuffix(", and the body cannot be sent again: it is a trigger") == true)
      #expect(isReused)
      return
    }
    #expect(record.error == nil)
    #expect(record.status == 200)
    #expect(record.body == Array("ok".utf8))
    #expect(!isReused)
    #expect(bodyBytes == 2)
    #expect(isInOrder, "the moments are those of one attempt")
    #expect(heard.withLock { $0 }.hasSuffix("\r\n\r\nhi"))
  }

  /// What has ended while the loop was elsewhere is looked for before a request goes out that must not be sent twice.
  @Test func whatHasEndedMeanwhileGetsNoRequest() async throws {
    let (asked, done) = (Signal(), Signal())
    let turn = Locked(0)
    let path = "/tmp/bluebonnet-\(getpid())-ended.sock"
    unlink(path)
    defer { unlink(path) }
    let peer = try BlockingPeer(on: try #require(SocketAddress(unixPath: path)), connections: 2) {
      connection in
      let number = turn.withLock {
        $0 += 1
        return $0
      }
      _ = Self.receive(connection, until: "\r\n\r\n")
      Self.say(Self.answer, to: connection)
      guard number == 1 else { return }
      #expect(asked.wait(seconds: 600))
      // Through a Unix-domain socket the end is in the client's at once; what it sends still arrives.
      shutdown(connection, Int32(SHUT_WR))
      done.raise()
      #expect(Self.receive(connection, until: "\r\n\r\n") == "")
    }
    let loop = EventLoop(name: "ended-test")
    var configuration = ConnectionPool.Configuration(tls: TLSClientConfiguration())
    configuration.idleTimeout = 600_000_000_000
    let pool = ConnectionPool(configuration: configuration, loop: loop)
    defer {
      loop.withLoop { pool.invalidate() }
      loop.stop()
    }
    var request = ExchangeRequest.plain(to: peer.port)
    request.route = Route(
      isSecure: false, host: "localhost", port: 80, nextHop: .unixSocket(path: path))
    request.isIdempotent = false
    #expect(await run(request, in: pool).record.status == 200)
    let probe = ExchangeProbe()
    loop.withLoop {
      asked.raise()
      #expect(done.wait(seconds: 600))
      RequestDriver(request, in: pool, client: probe).start()
    }
    await Eventually.expect("it is over") { probe.record.isComplete }
    #expect(probe.record.status == 200 && probe.record.error == nil)
  }

  /// A body that is sent again has been told of before; it is counted all the same.
  @Test func aBodyThatIsSentAgainIsMeasured() async throws {
    let turn = Locked(0)
    let peer = try BlockingPeer(connections: 2) { connection in
      let number = turn.withLock {
        $0 += 1
        return $0
      }
      _ = Self.receive(connection, until: number == 1 ? "\r\n\r\n" : "\r\n\r\na")
      Self.say(Self.answer, to: connection)
      // The second request is taken whole, and gets no answer.
      if number == 1 { _ = Self.receive(connection, until: "\r\n\r\na") }
    }
    let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()))
    defer { pool.loop.withLoop { pool.invalidate() } }
    #expect(await run(.plain(to: peer.port), in: pool).record.status == 200)
    let (record, isReused, bodyBytes, _) = await run(
      .plain(to: peer.port, body: .source(PlainSource(size: 1))), in: pool)
    #expect(record.error == nil && record.status == 200 && !isReused)
    #expect(bodyBytes == 1 && record.sent == 1)
  }
}
