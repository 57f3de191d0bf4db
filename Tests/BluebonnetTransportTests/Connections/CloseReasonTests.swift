// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import BluebonnetTransport
import BluebonnetLocks
import Testing

/// Why a connection carries no further request, as its pool is told.
@Suite struct CloseReasonTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var says: String
    /// The server closes behind it.
    var ends = false
    /// The request has a body of which no more than the beginning can be had.
    var hasBody = false
    var expectsContinue = false
    var closesConnection = false
    var reason: CloseReason?

    var testDescription: String { "\(says.debugDescription): \(reason.map { "\($0)" } ?? "kept")" }
  }

  static let rows: [Row] = [
    Row(says: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
    Row(says: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 None\r\n\r\n"),
    Row(
      says: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", closesConnection: true, reason: .askedByClient),
    Row(says: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", reason: .askedByServer),
    Row(says: "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", reason: .oldVersion),
    Row(says: "HTTP/1.1 200 OK\r\n\r\nok", ends: true, reason: .endsWithConnection),
    Row(says: "HTTP/1.1 200 OK\r\nContent-Length: 0, 0\r\n\r\n", reason: .doubtfulFraming),
    Row(says: "HTTP/1.1 200 OK\nContent-Length: 0\n\n", reason: .repaired),
    Row(says: "HTTP/1.1 204 None\r\n\r\nHTTP/1.1 200 OK\r\n", reason: .unexpectedBytes),
    Row(says: "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", reason: .upgraded),
    Row(says: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", ends: true, reason: .failed),
    Row(says: "220 ready\r\n", reason: .failed),
    Row(says: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", hasBody: true, reason: .requestIncomplete),
    Row(
      says: "HTTP/1.1 413 Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno", hasBody: true,
      reason: .bodyNotWanted),
    Row(
      says: "HTTP/1.1 417 No\r\nContent-Length: 2\r\n\r\nno", hasBody: true, expectsContinue: true,
      reason: .bodyNotWanted),
    Row(
      says: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", hasBody: true,
      expectsContinue: true, reason: .requestIncomplete),
  ]

  @Test(arguments: rows) func isToldToThePool(row: Row) async throws {
    let origin = try Origin.start()
    origin.script(
      "/", ScriptedReply([.bytes(Array(row.says.utf8))] + (row.ends ? [.close] : [.hang])).starting(at: .head)
    )
    var configuration = ConnectionPool.Configuration.evaluated
    // After a second the body would go out without an answer.
    configuration.continuePatience = 600 * 1_000_000_000
    let pool = ConnectionPool(configuration: configuration)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    var request = ExchangeRequest.plain(
      to: origin.port, body: row.hasBody ? .source(EndlessWait()) : .none,
      expectsContinue: row.expectsContinue)
    request.closesConnection = row.closesConnection
    let exchange = pool.loop.withLoop { [request] in RequestDriver(request, in: pool, client: probe) }
    pool.loop.execute { exchange.start() }
    await Eventually.expect("it is over") { probe.record.isComplete }
    #expect(pool.loop.withLoop { exchange.withMetrics { $0.closeReason } } == row.reason)
  }

  @Test func whoCancelsIsTheReason() async throws {
    let origin = try Origin.start()
    origin.script("/", ScriptedReply([.bytes(Array("HTTP/1.1 200 OK\r\n\r\nok".utf8)), .hang]))
    let pool = ConnectionPool(configuration: .evaluated)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    let exchange = pool.loop.withLoop { probe.exchange(with: origin, path: "/", in: pool) }
    pool.loop.execute { exchange.start() }
    await Eventually.expect("a body has begun") { !probe.record.body.isEmpty }
    pool.loop.withLoop { exchange.cancel() }
    #expect(pool.loop.withLoop { exchange.withMetrics { $0.closeReason } } == .cancelled)
  }

  /// Two bytes, and then nothing for ever.
  private final class EndlessWait: BodySource {
    private let left = Locked(2)

    var length: Int? { 5 }

    func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
      left.withLock { left in
        guard left > 0 else { return .later }
        left -= ([0x61, 0x62] as [UInt8]).suffix(left).withUnsafeBytes(use)
        return .lent
      }
    }

    func rewind() -> Bool { true }
  }
}
