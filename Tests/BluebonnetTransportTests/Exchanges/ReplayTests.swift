import BluebonnetEventLoop
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

/// What a stale connection did not answer is sent again over a fresh one, whoever else waits for a connection.
@Suite struct ReplayTests {
  private let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()))

  /// Runs `count` exchanges, `width` at a time, and gives what went wrong.
  private func send(
    _ count: Int, width: Int, _ request: @escaping @Sendable () -> ExchangeRequest
  ) async -> [String] {
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<width {
        group.addTask {
          var failures: [String] = []
          for _ in 0..<(count / width) {
            let record = await exchange(request())
            if record.status != 200 || record.body != Array("ok".utf8) || record.error != nil {
              failures.append(record.error.map { "\($0)" } ?? "\(record)")
            }
          }
          return failures
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func exchange(_ request: ExchangeRequest) async -> ExchangeProbe.Record {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let probe = ExchangeProbe { end.finish() }
    pool.loop.execute { [pool] in RequestDriver(request, in: pool, client: probe).start() }
    for await _ in ends {}
    return probe.record
  }

  @Test func safeRequestsSurviveAServerThatHangsUpAtRandom() async throws {
    let server = try ThreadedServer(.fickle(seed: 1))
    defer { pool.loop.withLoop { pool.invalidate() } }
    let port = server.port
    let failures = await send(6000, width: 12) { .plain(to: port) }
    #expect(failures == [])
    withExtendedLifetime(server) {}
  }

  @Test func largeBodiesSurviveAServerThatHangsUpAtRandom() async throws {
    let server = try ThreadedServer(.fickle(seed: 2))
    defer { pool.loop.withLoop { pool.invalidate() } }
    let port = server.port
    let failures = await send(120, width: 8) { .plain(to: port, body: .source(PlainSource(size: 3_000_000))) }
    #expect(failures == [])
    withExtendedLifetime(server) {}
  }
}
