// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

/// Requests that have to wait for a connection.
@Suite struct WaitingTests {
  private static let body = String(repeating: "x", count: 1000)

  /// Where the clock is the test's.
  private func pool(perEndpoint: Int = 6, together: Int = 256, on loop: EventLoop = .shared) -> ConnectionPool
  {
    var configuration = ConnectionPool.Configuration.inMemory
    configuration.maximumConnectionsPerEndpoint = perEndpoint
    configuration.maximumConnections = together
    return ConnectionPool(configuration: configuration, loop: loop)
  }

  private func start(_ request: ExchangeRequest, _ probe: ExchangeProbe, in pool: ConnectionPool)
    -> RequestDriver
  {
    pool.loop.withLoop {
      let exchange = RequestDriver(request, in: pool, client: probe)
      exchange.start()
      return exchange
    }
  }

  @Test(arguments: [Congestion.Scope.endpoint, .session])
  func aSuspendedTaskDoesNotHoldUpOthersWithoutAWord(scope: Congestion.Scope) async throws {
    let (first, second) = (Origin.inMemory(), Origin.inMemory())
    let loop = EventLoop.stopped()
    defer { loop.stopLater() }
    let pool = scope == .endpoint ? pool(perEndpoint: 1, on: loop) : pool(together: 1, on: loop)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let holding = ExchangeProbe(pauses: true)
    let holder = start(.plain(to: first.port, path: "/get"), holding, in: pool)
    await Eventually.expect("it holds the connection") { holding.record.status == 200 }

    let waiting = ExchangeProbe()
    let port = scope == .endpoint ? first.port : second.port
    _ = start(.plain(to: port, path: "/get", timeouts: Timeouts(waiting: 50_000_000)), waiting, in: pool)
    loop.advance(by: .microseconds(49_999))
    #expect(!waiting.record.isComplete)
    loop.advance(by: .microseconds(1))
    #expect(waiting.record.isComplete)
    let error = try #require(waiting.record.error)
    guard case .timedOut = error.cause else {
      Issue.record(error)
      return
    }
    #expect(error.phase == .waitingForConnection)
    #expect(error.seconds == 0.05)
    #expect(error.congestion == Congestion(scope: scope, connections: 1, heldBack: 1))
    #expect("\(error)".contains("1 of them by suspended tasks"))

    // One that is itself suspended waits, and is served once the other goes on.
    let patient = ExchangeProbe()
    let suspended = pool.loop.withLoop {
      let suspended = start(
        .plain(to: port, path: "/get", timeouts: Timeouts(waiting: 50_000_000)), patient, in: pool)
      suspended.hold(.caller)
      return suspended
    }
    loop.advance(by: .seconds(3600))
    #expect(!patient.record.isComplete)
    pool.loop.withLoop {
      holder.release(.caller)
      suspended.release(.caller)
    }
    await Eventually.expect("both are complete") { holding.record.isComplete && patient.record.isComplete }
    #expect(holding.record.error == nil && patient.record.error == nil)
    #expect(patient.record.status == 200)
    #expect(pool.loop.withLoop { pool.occupied } == 1)
  }

  /// A busy connection is not a held one.
  @Test func theErrorSaysWhatIsInUse() async throws {
    let origin = Origin.inMemory()
    origin.script("/busy", ScriptedReply([.hang], at: .head))
    let loop = EventLoop.stopped()
    defer { loop.stopLater() }
    let pool = pool(perEndpoint: 2, on: loop)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let busy = (0..<2).map { _ in ExchangeProbe() }
    let exchanges = busy.map { start(.plain(to: origin.port, path: "/busy"), $0, in: pool) }
    let waiting = ExchangeProbe()
    _ = start(.plain(to: origin.port, timeouts: Timeouts(waiting: 30_000_000)), waiting, in: pool)
    loop.advance(by: .milliseconds(30))
    #expect(waiting.record.isComplete)
    #expect(
      waiting.record.error?.congestion == Congestion(scope: .endpoint, connections: 2, heldBack: 0))
    pool.loop.withLoop { exchanges.forEach { $0.cancel() } }
    #expect(pool.loop.withLoop { pool.occupied } == 0)
  }

  /// One after the other: the connection that has been idle for longest makes room.
  @Test func idleConnectionsMakeRoomForOtherHosts() async throws {
    let origins = (0..<5).map { _ in Origin.inMemory() }
    let pool = pool(together: 2)
    defer { pool.loop.withLoop { pool.invalidate() } }
    for round in 0..<3 {
      for origin in origins {
        let probe = ExchangeProbe()
        _ = start(.plain(to: origin.port, path: "/get"), probe, in: pool)
        await Eventually.expect("it is complete") { probe.record.isComplete }
        #expect(probe.record.status == 200, "round \(round): \(String(describing: probe.record.error))")
        #expect(pool.loop.withLoop { pool.openConnectionCount } <= 2)
      }
    }
    #expect(pool.loop.withLoop { pool.occupied } == 2)
  }

  /// Many at once, to more hosts than there may be connections; some are given up.
  @Test(arguments: [1, 2, 7]) func everybodyIsServedWithinTheLimit(together: Int) async throws {
    let origins = (0..<5).map { _ in Origin.inMemory() }
    let pool = pool(perEndpoint: 3, together: together)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probes = (0..<400).map { _ in ExchangeProbe() }
    var random = SeededGenerator(seed: UInt64(together))
    for (number, probe) in probes.enumerated() {
      let origin = origins[Int.random(in: 0..<5, using: &random)]
      let path = number % 7 == 0 ? "/status/500" : "/get"
      var request = ExchangeRequest.plain(to: origin.port, path: path)
      request.closesConnection = number % 5 == 0
      let exchange = start(request, probe, in: pool)
      if number % 11 == 0 { pool.loop.withLoop { exchange.cancel() } }
      #expect(pool.loop.withLoop { pool.occupied } <= together)
    }
    await Eventually.expect("all are complete") {
      #expect(pool.loop.withLoop { pool.openConnectionCount } <= together)
      return probes.allSatisfy(\.record.isComplete)
    }
    for (number, probe) in probes.enumerated() where number % 11 != 0 {
      #expect(
        probe.record.status == (number % 7 == 0 ? 500 : 200), "\(String(describing: probe.record.error))")
    }
    pool.loop.withLoop {
      pool.invalidate()
      #expect(pool.occupied == 0)
      #expect(!pool.hasStarved || !pool.starvedComeBefore(nil))
    }
  }
}
