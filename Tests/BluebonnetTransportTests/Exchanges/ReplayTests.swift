// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetTLS
import BluebonnetTestSupport
import Glibc
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

  /// What the stale connection had been sent does not stand beside what becomes of the next: here it has none.
  @Test func theMetricsAreThoseOfTheLastAttempt() async throws {
    let lookups = Locked(0)
    var configuration = ConnectionPool.Configuration(tls: TLSClientConfiguration())
    // On a busy machine, a minute may pass between two requests.
    configuration.idleTimeout = 600_000_000_000
    configuration.resolver = { host in
      let number = lookups.withLock {
        $0 += 1
        return $0
      }
      return number == 1
        ? .success([.loopback(port: 0)]) : .failure(LookupFailure(host: host, code: EAI_NONAME, errno: 0))
    }
    let pool = ConnectionPool(configuration: configuration)
    defer { pool.loop.withLoop { pool.invalidate() } }
    // Answers once, and hangs up on the second request when it is there.
    let peer = try BlockingPeer { connection in
      var page = [UInt8](repeating: 0, count: 4096)
      _ = recv(connection, &page, page.count, 0)
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
      _ = Glibc.send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
      _ = recv(connection, &page, page.count, 0)
    }
    var request = ExchangeRequest.plain(to: peer.port)
    request.route = Route(isSecure: false, host: "stale.test", port: peer.port)
    var last: RequestDriver?
    for _ in 1...2 {
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      let probe = ExchangeProbe { end.finish() }
      let driver = pool.loop.withLoop { [request] in RequestDriver(request, in: pool, client: probe) }
      pool.loop.execute { driver.start() }
      for await _ in ends {}
      last = driver
      guard probe.record.status == nil else { continue }
      guard case .unresolvedHost? = probe.record.error?.cause else {
        Issue.record("\(probe.record)")
        return
      }
    }
    let driver = try #require(last)
    pool.loop.withLoop {
      driver.withMetrics { metrics in
        let moments = [metrics.requestStart, metrics.requestEnd, metrics.responseStart]
        #expect(moments == [nil, nil, nil])
        let (isLookedUp, isReused) = (metrics.connecting?.lookupEnd != nil, metrics.reusedConnection)
        #expect(isLookedUp && !isReused)
        let (headBytes, address) = (metrics.requestHeadBytes, metrics.connection?.remoteAddress)
        #expect(headBytes == 0 && address == nil)
      }
    }
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
