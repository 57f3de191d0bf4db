// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTLS
@testable import BluebonnetTransport

/// Connections that go on in another protocol.
@Suite struct ChannelUpgradeTests {
  private let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()))

  private static let switching =
    "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: shout\r\n\r\n"

  /// The new protocol's first bytes may come in one segment with the head, or in several with parts of it.
  @Test(arguments: [0, 1, 5, 20])
  func whatStandsBehindA101GoesToTheClient(cut: Int) async throws {
    let peer = try BlockingPeer { descriptor in
      _ = Self.receiveHead(descriptor)
      let answer = Array((Self.switching + "hello").utf8)
      let first = answer.count - cut
      Self.send(Array(answer[..<first]), to: descriptor)
      // So that the rest is read by itself, if possible.
      if cut > 0 { Pause.take(microseconds: 20_000) }
      Self.send(Array(answer[first...]), to: descriptor)
      var bytes = [UInt8](repeating: 0, count: 3)
      guard recv(descriptor, &bytes, 3, Int32(MSG_WAITALL)) == 3 else { return }
      Self.send(Array(String(decoding: bytes, as: UTF8.self).uppercased().utf8), to: descriptor)
    }
    let client = UpgradingClient(sending: Array("abc".utf8))
    pool.loop.execute { [pool] in RequestDriver(.plain(to: peer.port), in: pool, client: client).start() }
    await Eventually.expect("it has ended") { client.driver?.record.withLock { $0.end } != nil }
    let record = try #require(client.driver?.record.withLock { $0 })
    #expect(String(decoding: record.unread + record.received, as: UTF8.self) == "helloABC")
    #expect(record.end == .end)
    #expect(client.record.withLock { $0.status } == 101)
    #expect(client.record.withLock { $0.error } == nil)
    #expect(client.record.withLock { $0.order } == ["head", "upgrade", "end"])
    // The pool has nothing to do with it any more.
    #expect(pool.loop.withLoop { pool.openConnectionCount } == 0)
    #expect(pool.loop.withLoop { pool.occupied } == 0)
  }

  /// Over TLS, what OpenSSL has decrypted, and what it has not, goes along.
  @Test func whatStandsBehindA101OverTLSGoesToTheClient() async throws {
    let authority = try CertificateAuthority()
    let identity = try authority.issue(names: [.dns("localhost")])
    var tls = TLSClientConfiguration()
    tls.anchors = .certificates([authority.certificate])
    let pool = ConnectionPool(configuration: .init(tls: tls))
    let peer = try BlockingPeer { descriptor in
      guard let secure = try? SecurePeer(identity, over: descriptor) else { return }
      try? secure.receiveRequest()
      try? secure.write(Array((Self.switching + "hel").utf8))
      try? secure.write(Array("lo".utf8))
      secure.sendAll()
      try? secure.receiveRequest()
      try? secure.write(Array("ABC".utf8))
      secure.engine.shutdown()
      secure.sendAll()
      while secure.receive() {}
    }
    let client = UpgradingClient(sending: Array("abc".utf8))
    pool.loop.execute { RequestDriver(.secure(to: peer.port), in: pool, client: client).start() }
    await Eventually.expect("it has ended") { client.driver?.record.withLock { $0.end } != nil }
    let record = try #require(client.driver?.record.withLock { $0 })
    #expect(String(decoding: record.unread + record.received, as: UTF8.self) == "helloABC")
    #expect(record.end == .end)
  }

  /// A tunnel: TLS with the server behind the proxy, whose first bytes (in reality an eager server's) come with the 200.
  @Test func aTunnelCarriesTLS() async throws {
    let authority = try CertificateAuthority()
    let identity = try authority.issue(names: [.dns("server")])
    let peer = try BlockingPeer { descriptor in
      _ = Self.receiveHead(descriptor)
      Self.send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8), to: descriptor)
      guard let secure = try? SecurePeer(identity, over: descriptor) else { return }
      try? secure.receiveRequest()
      try? secure.write(Array("through".utf8))
      secure.engine.shutdown()
      secure.sendAll()
      while secure.receive() {}
    }
    var configuration = TLSClientConfiguration()
    configuration.anchors = .certificates([authority.certificate])
    let engine = try TLSEngine(context: try TLSContext(client: configuration), host: "server")
    let client = UpgradingClient(engines: [engine], sending: Array("hello".utf8))
    var request = ExchangeRequest.plain(to: peer.port)
    request.kind = .connect
    request.head = Array("CONNECT server:443 HTTP/1.1\r\nHost: server:443\r\n\r\n".utf8)
    pool.loop.execute { [pool, request] in RequestDriver(request, in: pool, client: client).start() }
    await Eventually.expect("it has ended") { client.driver?.record.withLock { $0.end } != nil }
    let record = try #require(client.driver?.record.withLock { $0 })
    #expect(String(decoding: record.received, as: UTF8.self) == "through")
    #expect(record.end == .end)
    #expect(record.handshakes == 1)
  }

  /// The bytes that came before TLS was laid over the channel are the first that it decrypts.
  @Test func bytesReadTooEarlyAreTLSToo() throws {
    let authority = try CertificateAuthority()
    let identity = try authority.issue(names: [.dns("localhost")])
    var configuration = TLSClientConfiguration()
    configuration.anchors = .certificates([authority.certificate])
    let client = try TLSEngine(context: try TLSContext(client: configuration), host: "localhost")
    #expect(try client.handshake() == .needsInput)
    let hello = Array(client.output)
    let stand = try ChannelStand()
    defer { stand.stop() }
    try stand.loop.withLoop {
      let server = try TLSEngine(context: try TLSContext(server: TLSServerConfiguration(identity: identity)))
      let channel = TLSChannel(server, over: try stand.channel(), unread: hello)
      #expect(channel.mayRead)
      #expect(channel.handshake() == .later)
      channel.close()
    }
    // The server's first flight, in answer to what was never in the socket.
    #expect(stand.peerReceives(1) == "\u{16}")
  }

  /// Who has not asked for another protocol gets no channel, and none is left behind.
  @Test func anUpgradeThatNobodyWantsIsClosed() async throws {
    let ended = Signal()
    let peer = try BlockingPeer { descriptor in
      _ = Self.receiveHead(descriptor)
      Self.send(Array(Self.switching.utf8), to: descriptor)
      var byte: UInt8 = 0
      if recv(descriptor, &byte, 1, 0) == 0 { ended.raise() }
    }
    let probe = ExchangeProbe()
    pool.loop.execute { [pool] in RequestDriver(.plain(to: peer.port), in: pool, client: probe).start() }
    await Eventually.expect("it is complete") { probe.record.isComplete }
    #expect(probe.record.status == 101)
    #expect(probe.record.error == nil)
    #expect(ended.wait())
    #expect(pool.loop.withLoop { pool.openConnectionCount } == 0)
  }

  private static func receiveHead(_ descriptor: Int32) -> [UInt8] {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]), recv(descriptor, &byte, 1, 0) == 1 {
      head.append(byte)
    }
    return head
  }

  private static func send(_ bytes: [UInt8], to descriptor: Int32) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}

/// Goes on over the channel that it is given.
///
/// `@unchecked Sendable`: the engines are touched while the loop is held only.
private final class UpgradingClient: ExchangeClient, @unchecked Sendable {
  struct Record: Sendable {
    var status: Int?
    var error: TransportError?
    var order: [String] = []
    var driver: ChannelDriver?
  }

  let record = Locked(Record())
  private let engines: [TLSEngine]
  private let bytes: [UInt8]

  init(engines: [TLSEngine] = [], sending bytes: [UInt8]) {
    self.engines = engines
    self.bytes = bytes
  }

  var driver: ChannelDriver? { record.withLock { $0.driver } }

  func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {
    record.withLock {
      $0.status = head.status
      $0.order.append("head")
    }
  }

  func exchange(_ exchange: RequestDriver, didUpgrade upgrade: ChannelUpgrade) {
    let driver = ChannelDriver(upgrade.channel, engines: engines, unread: upgrade.unread, sending: bytes)
    record.withLock {
      $0.order.append("upgrade")
      $0.driver = driver
    }
    // Later: this is inside a read, whose buffer is shared.
    upgrade.channel.loop.enqueue { driver.advance() }
  }

  func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {}
  func exchange(_ exchange: RequestDriver, didSendBody count: Int) {}
  func exchange(
    _ exchange: RequestDriver, evaluate trust: ServerTrust, by evaluator: AnyObject?,
    decision: @escaping @Sendable (TrustDecision) -> Void
  ) {
    decision(.performDefault)
  }

  func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
    record.withLock {
      $0.error = error
      $0.order.append("end")
    }
  }
}
