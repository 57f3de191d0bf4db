// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

/// What was held back comes before whatever the socket has to say when the body flows again.
@Suite struct PausedExchangeTests {
  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  ])
  func theEndOfTheConnectionWaits(response: String) async throws {
    let origin = try Origin.start()
    origin.script("/closing", .text(response).then(.close))
    let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()))
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe(pauses: true)
    let exchange = pool.loop.withLoop { probe.exchange(with: origin, path: "/closing", in: pool) }
    pool.loop.execute { exchange.start() }
    await Eventually.expect("the head is there") { probe.record.status == 200 }
    pool.loop.withLoop {
      exchange.release(.caller)
      // The loop finds out about the end before it comes to what was held back.
      if case .exchanging(let connection) = exchange.state.stage {
        connection.socket?.ready([.readable, .hangup])
      }
    }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil)
    #expect(probe.record.body == Array("hello".utf8))
  }

  @Test func aPauseAfterResumingCounts() async throws {
    let origin = try Origin.start()
    origin.script("/get", .response(body: "hello".utf8))
    let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()))
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe(pauses: true)
    let exchange = pool.loop.withLoop { probe.exchange(with: origin, path: "/get", in: pool) }
    pool.loop.execute { exchange.start() }
    await Eventually.expect("the head is there") { probe.record.status == 200 }
    pool.loop.withLoop {
      exchange.release(.caller)
      exchange.release(.caller)
      exchange.hold(.caller)
    }
    // Behind whatever resuming has put into the loop's mailbox.
    await withCheckedContinuation { behind in pool.loop.enqueue { behind.resume() } }
    #expect(probe.record.body.isEmpty)
    pool.loop.withLoop { exchange.release(.caller) }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.body == Array("hello".utf8))
  }
}
