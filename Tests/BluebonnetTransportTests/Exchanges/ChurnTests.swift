// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport

/// Everything at once: hang-ups, limits, cancellation and suspension at any time. Nobody is forgotten, and the books are
/// right afterwards.
@Suite(.serialized) struct ChurnTests {
  @Test(arguments: 1...4) func everyExchangeEndsAndEveryPlaceComesBack(seed: UInt64) async throws {
    let server = try ThreadedServer(.fickle(seed: seed))
    var configuration = ConnectionPool.Configuration(tls: TLSClientConfiguration())
    configuration.maximumConnectionsPerEndpoint = 3
    configuration.maximumConnections = 5
    let pool = ConnectionPool(configuration: configuration)
    var random = SeededGenerator(seed: seed)
    var probes: [ExchangeProbe] = []
    var exchanges: [RequestDriver] = []
    for number in 0..<500 {
      let probe = ExchangeProbe(pauses: Int.random(in: 0..<20, using: &random) == 0)
      let size = Int.random(in: 0..<10, using: &random) == 0 ? 200_000 : 10
      let hasBody = Int.random(in: 0..<4, using: &random) == 0
      var request = ExchangeRequest.plain(
        to: server.port, body: hasBody ? .source(PlainSource(size: size)) : .none)
      let host = Int.random(in: 1...4, using: &random)
      request.route = Route(isSecure: false, host: "127.0.0.\(host)", port: server.port)
      // One in ten gives up by itself.
      if number % 10 == 0 {
        request.timeouts = Timeouts(everyPhase: UInt64.random(in: 100_000...5_000_000, using: &random))
      }
      request.closesConnection = Int.random(in: 0..<10, using: &random) == 0
      let exchange = pool.loop.withLoop { RequestDriver(request, in: pool, client: probe) }
      pool.loop.execute { exchange.start() }
      probes.append(probe)
      exchanges.append(exchange)
      let chosen = exchanges[Int.random(in: Swift.max(0, number - 40)...number, using: &random)]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: pool.loop.execute { chosen.cancel() }
      case 1:
        let reasons = Holds(rawValue: UInt8.random(in: 1..<32, using: &random))
        pool.loop.execute { chosen.hold(reasons) }
      case 2: pool.loop.execute { chosen.release(.all) }
      case 3: Pause.take(microseconds: Int.random(in: 0..<400, using: &random))
      default: break
      }
    }
    // Whoever is suspended goes on, for as long as it takes.
    await Eventually.expect("all are complete") { [pool, probes, exchanges] in
      pool.loop.withLoop { exchanges.forEach { $0.release(.all) } }
      return probes.allSatisfy(\.record.isComplete)
    }
    for record in probes.map(\.record) where record.error == nil {
      #expect(record.status == 200 && record.body == Array("ok".utf8))
    }
    for error in probes.compactMap(\.record.error) {
      switch error.cause {
      case .timedOut, .cancelled: break
      default: Issue.record(error)
      }
    }
    pool.loop.withLoop {
      #expect(pool.occupied == pool.openConnectionCount)
      #expect(pool.occupied <= 5)
      #expect(pool.congestion.heldBack == 0)
      pool.invalidate()
      #expect(pool.occupied == 0)
      #expect(pool.openConnectionCount == 0)
    }
    withExtendedLifetime(server) {}
  }
}
