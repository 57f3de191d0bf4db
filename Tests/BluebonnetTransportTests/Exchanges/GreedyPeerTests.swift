// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS
import BluebonnetTestSupport
import Glibc
import BluebonnetLocks
import Testing

@testable import BluebonnetTransport

/// Peers that send and receive faster than we do.
@Suite(.serialized) struct GreedyPeerTests {
  // A loop of its own: nobody else's test is to pay for a peer that takes all of a core.
  private let pool = ConnectionPool(
    configuration: .init(tls: TLSClientConfiguration()), loop: EventLoop(name: "greedy"))

  /// A socket that is never empty must not keep the loop from everybody else.
  @Test func aBodyThatComesWithoutAPauseCanBeCancelled() async throws {
    let megabytes = 2048
    let peer = try BlockingPeer { descriptor in
      let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(megabytes << 20)\r\n\r\n".utf8)
      _ = send(descriptor, head, head.count, Int32(MSG_NOSIGNAL))
      let piece = [UInt8](repeating: 7, count: 1 << 20)
      for _ in 0..<megabytes {
        var sent = 0
        while sent < piece.count {
          let count = piece.withUnsafeBytes {
            send(descriptor, $0.baseAddress.map { $0 + sent }, piece.count - sent, Int32(MSG_NOSIGNAL))
          }
          guard count > 0 else { return }
          sent += count
        }
      }
    }
    defer {
      pool.loop.withLoop { pool.invalidate() }
      pool.loop.stop()
    }
    let client = SlowReader()
    let exchange = pool.loop.withLoop {
      RequestDriver(.plain(to: peer.port), in: pool, client: client)
    }
    pool.loop.execute { exchange.start() }
    cancelByTimer(exchange) { client.record.withLock { $0.received > 8 << 20 } }
    await Eventually.expect("it is over") { client.record.withLock { $0.isOver } }
    #expect(client.record.withLock { $0.isCancelled })
    #expect(client.record.withLock { $0.received < megabytes << 20 })
  }

  /// Nor must one that is never full.
  @Test func aBodyThatGoesWithoutAPauseCanBeCancelled() async throws {
    let peer = try BlockingPeer { descriptor in
      let page = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 16)
      defer { page.deallocate() }
      while recv(descriptor, page, 1 << 20, 0) > 0 {}
    }
    defer {
      pool.loop.withLoop { pool.invalidate() }
      pool.loop.stop()
    }
    let client = SlowReader()
    let source = SlowSource(pieces: 4096)
    let exchange = pool.loop.withLoop {
      RequestDriver(.plain(to: peer.port, body: .source(source)), in: pool, client: client)
    }
    pool.loop.execute { exchange.start() }
    cancelByTimer(exchange) { source.read.withLock { $0 > 32 } }
    await Eventually.expect("it is over") { client.record.withLock { $0.isOver } }
    #expect(source.read.withLock { $0 } < 4096)
  }

  /// Cancels once the body flows. The loop's own timer does it: other tests may keep this one from its turn.
  private func cancelByTimer(_ exchange: RequestDriver, when flows: @escaping @Sendable () -> Bool) {
    let loop = pool.loop
    @Sendable func look() {
      if flows() { exchange.cancel() } else { _ = loop.schedule(at: loop.now.adding(.milliseconds(5)), look) }
    }
    loop.execute(look)
  }
}

/// Takes a while for each piece, as a parser or a decoder would, so that the peer is always ahead.
private final class SlowReader: ExchangeClient, Sendable {
  struct Record {
    var received = 0
    var isOver = false
    var isCancelled = false
  }

  let record = Locked(Record())

  func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {
    var sum = 0
    for byte in bytes { sum &+= Int(byte) }
    let count = sum / 7
    record.withLock { $0.received += count }
  }

  func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {}
  func exchange(_ exchange: RequestDriver, didSendBody count: Int) {}
  func exchange(
    _ exchange: RequestDriver, evaluate trust: ServerTrust, by evaluator: AnyObject?,
    decision: @escaping @Sendable (TrustDecision) -> Void
  ) {}

  func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
    let isCancelled = if case .cancelled? = error?.cause { true } else { false }
    record.withLock {
      $0.isOver = true
      $0.isCancelled = isCancelled
    }
  }
}
