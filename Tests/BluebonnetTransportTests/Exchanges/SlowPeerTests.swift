// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS
import BluebonnetTestClock
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport

/// Peers that take their time.
@Suite(.serialized) struct SlowPeerTests {
  private let pool = ConnectionPool(configuration: .evaluated)

  /// What the peer has no room for stays with its source, however often there is a little room.
  @Test(arguments: [false, true]) func aBodyIsNotStagedAheadOfItsPeer(isSecure: Bool) async throws {
    let identity = try CertificateAuthority().issue(names: [.dns("localhost")])
    let source = SlowSource(pieces: 1024)
    let (counts, count) = AsyncStream.makeStream(of: Int.self)
    // A Unix-domain socket has a little room after each read; TCP would wait for more.
    let path = "/tmp/bluebonnet-\(getpid())-\(isSecure).sock"
    unlink(path)
    defer { unlink(path) }
    let address = try #require(SocketAddress(unixPath: path))
    let peer = try BlockingPeer(on: address) { descriptor in
      let secure = isSecure ? try? SecurePeer(identity, over: descriptor) : nil
      var page = [UInt8](repeating: 0, count: 16_384)
      var taken = 0
      while taken < 2 << 20 {
        let more = recv(descriptor, &page, page.count, 0)
        guard more > 0 else { break }
        taken += more
        // So slow that its kernel's buffer is always full.
        Pause.take(microseconds: 100)
      }
      count.yield(source.read.withLock { $0 })
      while recv(descriptor, &page, page.count, 0) > 0 {}
      withExtendedLifetime(secure) {}
    }
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    let exchange = pool.loop.withLoop {
      var request = isSecure ? ExchangeRequest.secure(to: peer.port) : .plain(to: peer.port)
      request.route = Route(
        isSecure: isSecure, host: "localhost", port: peer.port, nextHop: .unixSocket(path: path))
      request.body = .source(source)
      return RequestDriver(request, in: pool, client: probe)
    }
    pool.loop.execute { exchange.start() }
    if isSecure {
      await probe.acceptServer()
    }
    await Eventually.expect("it sends") {
      pool.loop.withLoop {
        guard case .exchanging(let connection) = exchange.state.stage, let socket = connection.socket else {
          return false
        }
        try? Syscall.setBuffers(socket.number, sending: 16_384, receiving: nil)
        return true
      }
    }
    let pieces = await counts.first { _ in true }
    // Those 2 MB, and what lies in both kernels' buffers.
    #expect(try #require(pieces) < 48)
    pool.loop.withLoop { exchange.cancel() }
  }

  /// A piece may take longer than the limit on silence, as long as some of it goes.
  @Test func aPieceThatGoesInDropsIsNotLate() async throws {
    let clock = EventLoop.stopped()
    let pool = ConnectionPool(configuration: .evaluated, loop: clock)
    defer { clock.stopLater() }
    let identity = try CertificateAuthority().issue(names: [.dns("localhost")])
    let source = SlowSource(pieces: 2)
    let peer = try BlockingPeer { descriptor in
      try? Syscall.setBuffers(descriptor, sending: nil, receiving: 16_384)
      guard let secure = try? SecurePeer(identity, over: descriptor) else { return }
      var page = [UInt8](repeating: 0, count: 8192)
      var taken = 0
      while taken < 2 * SlowSource.pieceSize {
        let more = recv(descriptor, &page, page.count, 0)
        guard more > 0 else { return }
        taken += more
        clock.advance(by: .milliseconds(100))
      }
      try? secure.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
      secure.sendAll()
      while recv(descriptor, &page, page.count, 0) > 0 {}
    }
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    let exchange = pool.loop.withLoop {
      var request = ExchangeRequest.secure(to: peer.port)
      request.body = .source(source)
      request.timeouts = Timeouts(sending: 1_300_000_000)
      return RequestDriver(request, in: pool, client: probe)
    }
    pool.loop.execute { exchange.start() }
    await Eventually.expect("the server is to be evaluated") { probe.record.decision != nil }
    pool.loop.withLoop {
      guard case .settingUp(let setup) = exchange.state.stage, case .securing(let handshake) = setup.stage,
        let socket = handshake.channel.socket
      else { return }
      try? Syscall.setBuffers(socket.number, sending: 4096, receiving: nil)
    }
    probe.record.decision?(.accept)
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil)
    #expect(probe.record.status == 200)
  }

  /// Of a Unix-domain socket each direction ends by itself. What is left of the body would be taken for a request.
  @Test func aConnectionThatTookHalfARequestIsNotUsedAgain() async throws {
    let path = "/tmp/bluebonnet-\(getpid())-half.sock"
    unlink(path)
    defer { unlink(path) }
    let address = try #require(SocketAddress(unixPath: path))
    let peer = try BlockingPeer(on: address) { descriptor in
      var page = [UInt8](repeating: 0, count: 4096)
      _ = recv(descriptor, &page, page.count, 0)
      shutdown(descriptor, Int32(SHUT_RD))
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
      Pause.take(microseconds: 100_000)
      _ = send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
      // Until the client closes.
      var end = pollfd(fd: descriptor, events: 0, revents: 0)
      poll(&end, 1, 5000)
    }
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    let exchange = pool.loop.withLoop {
      var request = ExchangeRequest.plain(to: peer.port, body: .source(SlowSource(pieces: 64)))
      request.route = Route(
        isSecure: false, host: "localhost", port: peer.port, nextHop: .unixSocket(path: path))
      return RequestDriver(request, in: pool, client: probe)
    }
    pool.loop.execute { exchange.start() }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.status == 200)
    #expect(pool.loop.withLoop { pool.openConnectionCount } == 0)
  }
}
