import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import BluebonnetTransport
import Testing

@Suite struct ConnectionPoolTests {
  @Test func idleConnectionsAreClosedEachTimeTheirTimeIsUp() async throws {
    let origin = try Origin.start()
    var configuration = ConnectionPool.Configuration(tls: TLSClientConfiguration())
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
}
