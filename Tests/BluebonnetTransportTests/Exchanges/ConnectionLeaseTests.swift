// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

/// A connection outlives an exchange where its owner says so.
@Suite struct ConnectionLeaseTests {
  /// Asks for a lease when the head is there, as whoever answers a challenge does.
  private final class Lessee: IndifferentClient, Sendable {
    private let state = Locked<(lease: LoopConfined<ConnectionLease>?, error: TransportError?, ended: Bool)>(
      (nil, nil, false))

    var isComplete: Bool { state.withLock { $0.ended } }
    var error: TransportError? { state.withLock { $0.error } }
    func takeLease() -> ConnectionLease? { state.withLock { $0.lease.take()?.value } }

    func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {
      let lease = LoopConfined(exchange.leaseConnection())
      state.withLock { $0.lease = lease }
    }
    func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {}
    func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
      state.withLock {
        $0.error = error
        $0.ended = true
      }
    }
  }

  private let origin: Origin
  private let pool: ConnectionPool

  init() {
    origin = Origin.inMemory()
    var configuration = ConnectionPool.Configuration.inMemory
    configuration.maximumConnectionsPerEndpoint = 2
    // On a busy machine, a minute may pass between two requests.
    configuration.idleTimeout = 600_000_000_000
    pool = ConnectionPool(configuration: configuration)
  }

  private func run(_ path: String, over lease: ConnectionLease? = nil) async -> Lessee {
    let lessee = Lessee()
    let given = LoopConfined(lease)
    pool.loop.execute { [pool, port = origin.port] in
      RequestDriver(.plain(to: port, path: path), in: pool, client: lessee, over: given.value).start()
    }
    await Eventually.expect("it is complete") { lessee.isComplete }
    return lessee
  }

  private func ask(_ path: String) async -> ExchangeProbe {
    let probe = ExchangeProbe()
    pool.loop.execute { [pool, origin] in probe.exchange(with: origin, path: path, in: pool).start() }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    return probe
  }

  /// Three steps over one connection; others' requests meanwhile go over others.
  @Test func theNextExchangeGoesOverTheSameConnection() async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    let first = await run("/get?1")
    let lease = try #require(first.takeLease())
    #expect(pool.loop.withLoop { lease.isOpen })
    #expect(await ask("/get?other").record.status == 200)
    let second = await run("/get?2", over: lease)
    #expect(second.error == nil)
    #expect(pool.loop.withLoop { lease.isOpen })
    #expect(await ask("/get?other").record.status == 200)
    let third = await run("/get?3", over: lease)
    #expect(third.error == nil)
    let connections = origin.requests.map { [$0.target, "\($0.connection)"] }
    #expect(
      connections == [
        ["/get?1", "1"], ["/get?other", "2"], ["/get?2", "1"], ["/get?other", "2"], ["/get?3", "1"],
      ])
    // Given back, it is everybody's.
    pool.loop.withLoop {
      lease.giveBack()
      lease.giveBack()
      #expect(!lease.isOpen)
    }
    #expect(await ask("/get?last").record.status == 200)
    #expect(origin.requests.last?.connection == 1)
    #expect(origin.connectionCount == 2)
  }

  /// Made before the connection is there, and before it is known which group will have it.
  @Test func aRequestMadeEarlyTakesTheGroupOfItsConnection() async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    let (one, two, other) = (Lessee(), Lessee(), ExchangeProbe())
    let (first, second) = pool.loop.withLoop {
      let first = RequestDriver(.plain(to: origin.port, path: "/get?1"), in: pool, client: one)
      let another = other.exchange(with: origin, path: "/get?other", in: pool)
      #expect(first.group !== another.group)
      let lease = first.leaseConnection()
      let second = RequestDriver(
        .plain(to: origin.port, path: "/get?2"), in: pool, client: two, over: lease)
      another.start()
      first.start()
      return (first, second)
    }
    await Eventually.expect("both are complete") { one.isComplete && other.record.isComplete }
    pool.loop.execute { second.start() }
    await Eventually.expect("it is complete") { two.isComplete }
    #expect(one.error == nil && two.error == nil)
    pool.loop.withLoop {
      #expect(second.group === first.group)
      two.takeLease()?.giveBack()
      #expect(first.group.machine.leased == 0)
      #expect(first.group.machine.idle.count == 2)
      #expect(pool.occupied == 2 && pool.groupCount == 1)
    }
  }

  @Test func itCountsAsInUse() async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    let leases = [try #require(await run("/get").takeLease()), try #require(await run("/get").takeLease())]
    #expect(pool.loop.withLoop { pool.occupied } == 2)
    let waiting = ExchangeProbe()
    pool.loop.execute { [pool, origin] in waiting.exchange(with: origin, path: "/get", in: pool).start() }
    await withCheckedContinuation { behind in pool.loop.enqueue { behind.resume() } }
    #expect(!waiting.record.isComplete)
    pool.loop.withLoop { leases[1].giveBack() }
    await Eventually.expect("it is served") { waiting.record.status == 200 }
    #expect(origin.connectionCount == 2)
    pool.loop.withLoop { leases[0].giveBack() }
    await Eventually.expect("both are idle") { pool.loop.withLoop { pool.groupCount } == 1 }
  }

  @Test func oneThatIsDroppedGoesBackByItself() async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    for _ in 0..<5 { #expect(await run("/get").takeLease() != nil) }
    await withCheckedContinuation { behind in pool.loop.enqueue { behind.resume() } }
    #expect(await ask("/get").record.status == 200)
    #expect(origin.connectionCount <= 2)
  }

  /// What has been proved over it counts for whoever uses it.
  @Test(arguments: [true, false]) func oneThatIsExclusiveIsNobodyElses(isDropped: Bool) async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    var lease: ConnectionLease? = await run("/get?1").takeLease()
    #expect(lease != nil)
    pool.loop.withLoop {
      lease?.isExclusive = true
      if !isDropped { lease?.giveBack() }
    }
    lease = nil
    await Eventually.expect("it is closed") { origin.openConnections == 0 }
    #expect(await ask("/get?2").record.status == 200)
    #expect(origin.requests.map(\.connection) == [1, 2])
    pool.loop.withLoop { #expect(pool.occupied <= 1) }
  }

  @Test(arguments: ["/get", "/status/200"])
  func aConnectionThatHasGoneServesNobody(path: String) async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    let lease = try #require(await run("/get").takeLease())
    origin.dropConnections()
    let watched = LoopConfined(lease)
    await Eventually.expect("its end is seen") { pool.loop.withLoop { !watched.value.isOpen } }
    let second = await run(path, over: lease)
    guard case .noResponse? = second.error?.cause else {
      Issue.record("\(String(describing: second.error))")
      return
    }
    #expect(origin.requests.count == 1, "nothing was sent, and not over another connection")
    #expect(pool.loop.withLoop { pool.occupied } == 0)
    #expect(pool.loop.withLoop { pool.groupCount } == 0)
  }

  /// The server closes behind its response, so there is nothing to keep.
  @Test func aConnectionThatEndsIsNotKept() async throws {
    defer { pool.loop.withLoop { pool.invalidate() } }
    origin.script(
      "/last", .text("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").then(.close))
    let lease = try #require(await run("/last").takeLease())
    #expect(pool.loop.withLoop { !lease.isOpen && pool.occupied == 0 })
    #expect(await run("/get", over: lease).error != nil)
  }
}
