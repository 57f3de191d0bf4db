// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import BluebonnetLocks
import Testing

@testable import BluebonnetTransport

/// Bodies in chunks of all sizes, delivered in as few pieces as they come in.
@Suite struct ChunkedBodyTests {
  /// Collects a body, holds it back now and then, and notes what is delivered all the same.
  private final class PausingClient: IndifferentClient, Sendable {
    struct Record {
      var body: [UInt8] = []
      var deliveries = 0
      var deliveriesWhilePaused = 0
      var isOver = false
      var error: TransportError?
    }

    let record = Locked(Record())
    /// After how many deliveries the body is held back for a turn of the loop; 0: never.
    let period: Int

    init(period: Int) { self.period = period }

    func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {
      let deliveries = record.withLock { record in
        record.body += bytes
        record.deliveries += 1
        if exchange.isPaused { record.deliveriesWhilePaused += 1 }
        return record.deliveries
      }
      guard period > 0, deliveries.isMultiple(of: period) else { return }
      exchange.hold(.caller)
      exchange.loop.enqueue { exchange.release(.caller) }
    }

    func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {}

    func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
      record.withLock {
        $0.isOver = true
        $0.error = error
      }
    }
  }

  private static let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

  /// A body in chunks of these sizes, and as it is sent.
  private static func chunked(_ sizes: [Int]) -> (body: [UInt8], wire: [UInt8]) {
    var (body, wire): ([UInt8], [UInt8]) = ([], head)
    for size in sizes {
      let data = (0..<size).map { UInt8(truncatingIfNeeded: (body.count + $0) % 251) }
      wire += ChunkedEncoder.header(size: size) + data + ChunkedEncoder.chunkEnd
      body += data
    }
    return (body, wire)
  }

  private func run(
    _ wire: [UInt8], period: Int, isSecure: Bool = false, closes: Bool = false
  ) async throws -> (PausingClient.Record, reusable: Int) {
    let origin = try Origin.start(security: isSecure ? .tls : .plain)
    origin.script("/body", ScriptedReply([.bytes(wire)] + (closes ? [.close] : [])))
    let pool = ConnectionPool(configuration: .evaluated)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let client = PausingClient(period: period)
    let exchange = pool.loop.withLoop {
      let request: ExchangeRequest =
        isSecure ? .secure(to: origin.port, path: "/body") : .plain(to: origin.port, path: "/body")
      return RequestDriver(request, in: pool, client: client)
    }
    pool.loop.execute { exchange.start() }
    await Eventually.expect("it is over") { client.record.withLock { $0.isOver } }
    let open = pool.loop.withLoop { pool.openConnectionCount }
    return (client.record.withLock { $0 }, open)
  }

  @Test(arguments: [false, true]) func smallChunksAreDeliveredTogether(isSecure: Bool) async throws {
    let (body, wire) = Self.chunked(Array(repeating: 16, count: 20_000))
    let (record, open) = try await run(
      wire + ChunkedEncoder.terminator, period: 0, isSecure: isSecure)
    #expect(record.error == nil)
    #expect(record.body == body)
    #expect(open == 1)
    // However the bytes were cut on their way: one delivery for each time the socket, or a TLS record, was read.
    #expect(record.deliveries < 400)
  }

  @Test(arguments: [1, 2, 7], [false, true])
  func aPauseHoldsForEveryPiece(period: Int, isSecure: Bool) async throws {
    var generator = SeededGenerator(seed: UInt64(period))
    for _ in 0..<6 {
      let sizes = (0..<120).map { _ in
        Int.random(in: 0..<6, using: &generator) == 0
          ? Int.random(in: 16_000...70_000, using: &generator) : Int.random(in: 1...300, using: &generator)
      }
      let (body, wire) = Self.chunked(sizes)
      let (record, open) = try await run(
        wire + ChunkedEncoder.terminator, period: period, isSecure: isSecure)
      #expect(record.error == nil)
      #expect(record.body == body)
      #expect(record.deliveriesWhilePaused == 0)
      #expect(open == 1)
    }
  }

  @Test(arguments: [0, 1]) func whatCameBeforeAnErrorIsDelivered(period: Int) async throws {
    let (body, wire) = Self.chunked([5, 1, 40_000, 3, 20_000, 7])
    let malformed = try await run(wire + Array("x\r\n".utf8), period: period)
    #expect(malformed.0.body == body)
    guard case .malformed(let error)? = malformed.0.error?.cause else {
      Issue.record("ended with \(String(describing: malformed.0.error))")
      return
    }
    #expect(error == HTTP1Error(.invalidChunkSize, offset: wire.count))
    #expect(malformed.reusable == 0)
    let truncated = try await run(wire + Array("9\r\nab".utf8), period: period, closes: true)
    #expect(truncated.0.body == body + Array("ab".utf8))
    guard case .truncated? = truncated.0.error?.cause else {
      Issue.record("ended with \(String(describing: truncated.0.error))")
      return
    }
  }

  @Test func bytesBehindTheEndCloseTheConnection() async throws {
    let (body, wire) = Self.chunked([5, 20_000, 20_000, 3])
    for period in [0, 1] {
      let (record, open) = try await run(
        wire + ChunkedEncoder.terminator + Array("HTTP/1.1 200 OK\r\n\r\n".utf8), period: period)
      #expect(record.error == nil)
      #expect(record.body == body)
      #expect(open == 0)
    }
  }
}
