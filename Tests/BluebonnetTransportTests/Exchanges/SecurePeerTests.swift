// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTLS
@testable import BluebonnetTransport

/// Peers that speak TLS as they may, though few do.
@Suite(.serialized) struct SecurePeerTests {
  private let pool = ConnectionPool(
    configuration: {
      var configuration = ConnectionPool.Configuration.evaluated
      configuration.maximumConnectionsPerEndpoint = 1
      return configuration
    }())

  /// What comes while the application evaluates the certificate waits in the kernel, not in our memory.
  @Test func aServerThatIsBeingEvaluatedIsNotRead() async throws {
    let identity = try CertificateAuthority().issue(names: [.dns("localhost")])
    let (counts, count) = AsyncStream.makeStream(of: Int.self)
    let peer = try BlockingPeer { descriptor in
      var limit = timeval(tv_sec: 0, tv_usec: 300_000)
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var megabytes = 0
      if let secure = try? SecurePeer(identity, over: descriptor) {
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        while megabytes < 64, (try? secure.write(piece)) != nil, secure.sendAll() { megabytes += 1 }
      }
      count.yield(megabytes)
    }
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    let exchange = pool.loop.withLoop { RequestDriver(.secure(to: peer.port), in: pool, client: probe) }
    pool.loop.execute { exchange.start() }
    #expect(try #require(await counts.first { _ in true }) < 64)
    pool.loop.withLoop { exchange.cancel() }
  }

  /// close_notify ends a body without a length, also if the body was held back when it came and the socket stays open.
  @Test func aCloseNotifyThatCameDuringAPauseIsNotForgotten() async throws {
    let identity = try CertificateAuthority().issue(names: [.dns("localhost")])
    let peer = try BlockingPeer { descriptor in
      guard let secure = try? SecurePeer(identity, over: descriptor) else { return }
      try? secure.receiveRequest()
      // Both in one segment, so that one look decrypts both.
      try? secure.write(Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8))
      secure.engine.shutdown()
      secure.sendAll()
      while secure.receive() {}
    }
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe(pauses: true)
    let exchange = pool.loop.withLoop { RequestDriver(.secure(to: peer.port), in: pool, client: probe) }
    pool.loop.execute { exchange.start() }
    await probe.acceptServer()
    await Eventually.expect("the head is there") { probe.record.status == 200 }
    pool.loop.withLoop { exchange.release(.caller) }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.error == nil)
    #expect(probe.record.body == Array("hello".utf8))
    pool.loop.withLoop { exchange.cancel() }
  }

  /// The server has said that it hears nothing more on that connection, and nothing sent there may be sent again.
  @Test func whoWaitsIsNotServedBehindACloseNotify() async throws {
    let identity = try CertificateAuthority().issue(names: [.dns("localhost")])
    let peer = try BlockingPeer(connections: 2) { descriptor in
      guard let secure = try? SecurePeer(identity, over: descriptor) else { return }
      try? secure.receiveRequest()
      try? secure.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8))
      secure.engine.shutdown()
      secure.sendAll()
      while secure.receive() {}
    }
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probes = [ExchangeProbe(), ExchangeProbe()]
    pool.loop.withLoop {
      for probe in probes {
        var request = ExchangeRequest.secure(to: peer.port)
        request.isIdempotent = false
        RequestDriver(request, in: pool, client: probe).start()
      }
    }
    for probe in probes {
      await Eventually.expect("the server is to be evaluated") {
        probe.record.decision != nil || probe.record.isComplete
      }
      probe.record.decision?(.accept)
      await Eventually.expect("it is complete") { probe.record.isComplete }
      #expect(probe.record.error == nil)
      #expect(probe.record.body == Array("hello".utf8))
    }
  }

  /// Bytes behind a response answer nothing, and be they so few that nobody can say yet what they are.
  @Test(arguments: [1, 4, 5, 6, 30]) func aRecordThatWasBegunBehindAResponseIsNoAnswer(cut: Int) async throws
  {
    let identity = try CertificateAuthority().issue(names: [.dns("localhost")])
    let number = Locked(0)
    let peer = try BlockingPeer(connections: 2) { descriptor in
      let number = number.withLock {
        $0 += 1
        return $0
      }
      guard let secure = try? SecurePeer(identity, over: descriptor) else { return }
      try? secure.receiveRequest()
      try? secure.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)".utf8))
      guard number == 1 else {
        secure.sendAll()
        while secure.receive() {}
        return
      }
      let response = secure.engine.output.count
      try? secure.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nplanted".utf8))
      let bytes = Array(secure.engine.output)
      secure.engine.outputSent(bytes.count)
      // In one segment, so that one look sees both.
      _ = send(descriptor, bytes, response + cut, Int32(MSG_NOSIGNAL))
      // Nothing but the end comes, or what was planted answers it.
      try? secure.receiveRequest()
      _ = bytes[(response + cut)...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
    }
    defer { pool.loop.withLoop { pool.invalidate() } }
    for expected in ["1", "2"] {
      let probe = ExchangeProbe()
      pool.loop.execute { [pool] in
        RequestDriver(.secure(to: peer.port), in: pool, client: probe).start()
      }
      await Eventually.expect("the server is to be evaluated") {
        probe.record.decision != nil || probe.record.isComplete
      }
      probe.record.decision?(.accept)
      await Eventually.expect("it is complete") { probe.record.isComplete }
      #expect(probe.record.error == nil)
      #expect(String(decoding: probe.record.body, as: UTF8.self) == expected)
    }
  }

  /// RFC 5246 §7.2.2: who is asked for another handshake refuses, also if there is nothing else to send. What is not
  /// sent adds up.
  @Test func aRequestForAnotherHandshakeIsAnswered() async throws {
    let identity = try CertificateAuthority().issue(names: [.dns("localhost")])
    let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
    let peer = try BlockingPeer { descriptor in
      var limit = timeval(tv_sec: 1, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      guard let secure = try? SecurePeer(identity, version: .tls12, over: descriptor) else { return }
      try? secure.receiveRequest()
      secure.renegotiate()
      secure.sendAll()
      answer.yield(secure.receive())
    }
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    let exchange = pool.loop.withLoop { RequestDriver(.secure(to: peer.port), in: pool, client: probe) }
    pool.loop.execute { exchange.start() }
    await probe.acceptServer()
    let isAnswered = await answers.first { _ in true }
    #expect(isAnswered == true)
    pool.loop.withLoop { exchange.cancel() }
  }
}
