// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

/// What a pool has heard of once is not kept for ever.
@Suite struct ForgottenGroupsTests {
  private let pool = ConnectionPool(configuration: .evaluated)

  private func request(_ host: Int, _ port: UInt16) -> ExchangeRequest {
    var request = ExchangeRequest.plain(to: port)
    request.route = Route(
      isSecure: false, host: "127.\(1 + host >> 16).\(host >> 8 & 255).\(host & 255)", port: port)
    return request
  }

  /// Nobody listens at any of them, so nothing is ever parked.
  @Test func tenThousandHostsThatRefuse() throws {
    let closed = try ClosedPort()
    let ended = Signal()
    // It keeps a loop busy for longer than others can wait.
    let loop = EventLoop(name: "test")
    defer { loop.stop() }
    let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()), loop: loop)
    for host in 0..<10_000 {
      let probe = ExchangeProbe { ended.raise() }
      let request = request(host, closed.number)
      loop.execute { RequestDriver(request, in: pool, client: probe).start() }
    }
    #expect(ended.wait(for: 10_000, seconds: 120))
    #expect(pool.loop.withLoop { pool.groupCount } == 0)
    #expect(pool.loop.withLoop { pool.occupied } == 0)
    #expect(!pool.loop.withLoop { pool.hasStarved })
  }

  @Test func whatIsNeverStartedLeavesNothing() {
    let probe = ExchangeProbe()
    pool.loop.withLoop {
      for host in 0..<100 {
        let exchange = RequestDriver(request(host, 1), in: pool, client: probe)
        if host.isMultiple(of: 2) { exchange.cancel() }
      }
      #expect(pool.groupCount == 0)
    }
  }

  /// Two that were made before the group was known share it all the same.
  @Test func exchangesMadeBeforeTheFirstBeganShareTheGroup() async throws {
    let origin = try Origin.start()
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probes = [ExchangeProbe(), ExchangeProbe()]
    let exchanges = pool.loop.withLoop { probes.map { $0.exchange(with: origin, path: "/get", in: pool) } }
    pool.loop.withLoop {
      for exchange in exchanges { exchange.start() }
      #expect(pool.groupCount == 1)
      #expect(exchanges[0].group === exchanges[1].group)
    }
    await Eventually.expect("both are complete") { probes.allSatisfy(\.record.isComplete) }
    #expect(probes.allSatisfy { $0.record.status == 200 })
  }

  @Test func aGroupGoesWithItsLastConnection() async throws {
    let origin = try Origin.start()
    let probe = ExchangeProbe()
    pool.loop.execute { [pool] in probe.exchange(with: origin, path: "/get", in: pool).start() }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(pool.loop.withLoop { pool.groupCount } == 1)
    origin.dropConnections()
    await Eventually.expect("it has gone") { pool.loop.withLoop { pool.groupCount } == 0 }
    let again = ExchangeProbe()
    pool.loop.execute { [pool] in again.exchange(with: origin, path: "/get", in: pool).start() }
    await Eventually.expect("it is complete") { again.record.isComplete }
    #expect(again.record.status == 200)
    pool.loop.withLoop {
      pool.invalidate()
      #expect(pool.groupCount == 0)
    }
  }
}
