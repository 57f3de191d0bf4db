// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetTransport
import Testing

@Suite struct ConnectionPoolTests {
  @Test func idleConnectionsAreClosedEachTimeTheirTimeIsUp() async throws {
    let origin = Origin.inMemory()
    var configuration = ConnectionPool.Configuration.inMemory
    configuration.idleTimeout = 30_000_000
    let pool = ConnectionPool(configuration: configuration)
    defer { pool.loop.withLoop { pool.invalidate() } }
    for turn in 1...3 {
      await withCheckedContinuation { ended in
        let probe = ExchangeProbe { ended.resume() }
        pool.loop.execute { probe.exchange(with: origin, path: "/get", in: pool).start() }
      }
      #expect(origin.connectionCount == turn)
      await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
    }
  }

  /// The connection is given back after its client has heard of the end.
  @Test func whoHearsOfTheEndMayLetGoOfThePool() async throws {
    let origin = Origin.inMemory()
    let pool = Locked<ConnectionPool?>(ConnectionPool(configuration: .inMemory))
    await withCheckedContinuation { ended in
      let probe = ExchangeProbe {
        pool.withLock { $0 = nil }
        ended.resume()
      }
      let loop = pool.withLock { $0?.loop }
      loop?.execute {
        if let pool = pool.withLock({ $0 }) { probe.exchange(with: origin, path: "/get", in: pool).start() }
      }
    }
    #expect(origin.requests.count == 1)
  }

  /// One that was used again shortly before a look at all of them is not kept for twice as long.
  @Test func anIdleConnectionIsClosedWhenItsTimeIsUp() async throws {
    let origin = Origin.inMemory()
    let loop = EventLoop.stopped()
    defer { loop.stopLater() }
    var configuration = ConnectionPool.Configuration.inMemory
    configuration.idleTimeout = 4_000_000_000
    let pool = ConnectionPool(configuration: configuration, loop: loop)
    defer { loop.withLoop { pool.invalidate() } }
    for pause in [200, 3800] {
      await withCheckedContinuation { ended in
        let probe = ExchangeProbe { ended.resume() }
        loop.execute { probe.exchange(with: origin, path: "/get", in: pool).start() }
      }
      // Behind the end, which is told before the connection rests.
      await withCheckedContinuation { behind in loop.enqueue { behind.resume() } }
      loop.advance(by: .milliseconds(pause))
    }
    #expect(origin.openConnections == 1 && origin.connectionCount == 1)
    loop.advance(by: .milliseconds(199))
    #expect(origin.openConnections == 1)
    loop.advance(by: .milliseconds(1))
    await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
  }
}
