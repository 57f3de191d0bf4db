import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

@Suite struct ConnectionPoolTests {
  /// Waits for the end of one exchange.
  private final class Client: ExchangeClient {
    let ended: CheckedContinuation<Bool, Never>

    init(_ ended: CheckedContinuation<Bool, Never>) { self.ended = ended }

    func exchange(_ exchange: Exchange, didReceive head: ResponseHead, bodyLength: Int?) {}
    func exchange(_ exchange: Exchange, didReceiveBody bytes: UnsafeRawBufferPointer) {}
    func exchange(_ exchange: Exchange, didSendBody count: Int) {}
    func exchange(
      _ exchange: Exchange, judge trust: ServerTrust, verdict: @escaping @Sendable (TrustVerdict) -> Void
    ) { verdict(.performDefault) }
    func exchange(_ exchange: Exchange, didFinishWith error: TransportError?) {
      ended.resume(returning: error == nil)
    }
  }

  private func load(from origin: Origin, in pool: ConnectionPool) async -> Bool {
    let request = ExchangeRequest(
      endpoint: Endpoint(target: .host("127.0.0.1", port: origin.port), security: .plain), kind: .ordinary,
      head: Array("GET /get HTTP/1.1\r\nHost: a\r\n\r\n".utf8), isIdempotent: true, timeouts: Timeouts())
    return await withCheckedContinuation { ended in
      pool.loop.execute { Exchange(request, in: pool, client: Client(ended)).start() }
    }
  }

  @Test func idleConnectionsAreClosedEachTimeTheirTimeIsUp() async throws {
    let origin = try Origin.start()
    var configuration = ConnectionPool.Configuration(tls: TLSClientConfiguration())
    configuration.idleTimeout = 30_000_000
    let pool = ConnectionPool(configuration: configuration)
    for turn in 1...3 {
      #expect(await load(from: origin, in: pool))
      #expect(origin.connectionCount == turn)
      await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
    }
  }
}
