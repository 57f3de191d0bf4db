// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

@testable import BluebonnetEventLoop
@testable import BluebonnetTransport

/// A socket is watched by one registration from the connect attempt to the end of the connection.
@Suite struct RegistrationCountTests {
  @Test(arguments: [false, true])
  func aConnectionTakesOneRegistration(isSecure: Bool) async throws {
    let origin = try isSecure ? Origin.start(security: .tls) : Origin.start()
    // A loop of its own: others register whenever they like.
    let loop = EventLoop(name: "registrations")
    var configuration =
      isSecure ? ConnectionPool.Configuration.evaluated : .init(tls: TLSClientConfiguration())
    // Longer than a busy machine takes from one request to the next.
    configuration.idleTimeout = 600_000_000_000
    let pool = ConnectionPool(configuration: configuration, loop: loop)
    defer {
      loop.withLoop { pool.invalidate() }
      loop.stop()
    }
    let before = loop.withLoop { loop.held.registrations.nextGeneration }
    for round in 0..<3 {
      let probe = ExchangeProbe()
      var request = ExchangeRequest.plain(to: origin.port, path: "/get")
      // The name has two addresses, of which the origin listens at one.
      request.route = Route(isSecure: isSecure, host: "127.0.0.1", port: origin.port)
      let exchange = loop.withLoop { [request] in RequestDriver(request, in: pool, client: probe) }
      loop.execute { exchange.start() }
      if isSecure, round == 0 { await probe.acceptServer() }
      await Eventually.expect("it is complete") { probe.record.isComplete }
      #expect(probe.record.error == nil)
    }
    #expect(origin.connectionCount == 1)
    #expect(loop.withLoop { loop.held.registrations.nextGeneration } == before + 1)
  }
}
