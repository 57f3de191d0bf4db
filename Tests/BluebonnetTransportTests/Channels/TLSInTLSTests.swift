// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTLS
@testable import BluebonnetTransport

/// TLS through a tunnel that is TLS itself, as a proxy for https that is spoken to over https needs it.
@Suite struct TLSInTLSTests {
  private let authority: CertificateAuthority

  init() throws {
    authority = try CertificateAuthority()
  }

  private func engines() throws -> [TLSEngine] {
    var configuration = TLSClientConfiguration()
    configuration.anchors = .certificates([authority.certificate])
    let context = try TLSContext(client: configuration)
    return [try TLSEngine(context: context, host: "tunnel"), try TLSEngine(context: context, host: "server")]
  }

  /// - Parameter serve: Has the inner server's end after both handshakes.
  private func run(
    sending bytes: [UInt8], _ serve: @escaping @Sendable (NestedPeer) throws -> Void
  ) async throws -> ChannelDriver.Record {
    let stand = try ChannelStand()
    defer { stand.stop() }
    let outer = try authority.issue(names: [.dns("tunnel")])
    let inner = try authority.issue(names: [.dns("server")])
    async let served: Void = detached {
      let peer = try NestedPeer([outer, inner], over: stand.peer)
      try serve(peer)
    }
    let driver = try stand.loop.withLoop {
      let driver = ChannelDriver(try stand.channel(), engines: try engines(), sending: bytes)
      driver.advance()
      return driver
    }
    try await served
    await Eventually.expect("it has ended") { driver.record.withLock { $0.end != nil } }
    return driver.record.withLock { $0 }
  }

  @Test func bytesGoBothWays() async throws {
    let record = try await run(sending: Array("hello".utf8)) { peer in
      let request = try peer.receive(5)
      try peer.send(request.reversed())
      peer.sayClose()
    }
    #expect(record.handshakes == 2)
    #expect(String(decoding: record.received, as: UTF8.self) == "olleh")
    #expect(record.end == .end)
  }

  /// More than both kernels' and both engines' buffers take, so that each direction has to wait for room.
  @Test func megabytesGoBothWays() async throws {
    let bytes = [UInt8](cycling: 3_000_000)
    let record = try await run(sending: bytes) { peer in
      let request = try peer.receive(bytes.count)
      try peer.send(request)
      peer.sayClose()
    }
    #expect(record.received == bytes)
    #expect(record.end == .end)
  }

  /// The tunnel's own end is not the server's.
  @Test func anEndOfTheTunnelAloneIsATruncation() async throws {
    let record = try await run(sending: [1]) { peer in
      _ = try peer.receive(1)
      try peer.send(Array("half".utf8))
      peer.sayCloseOfTunnel()
    }
    #expect(String(decoding: record.received, as: UTF8.self) == "half")
    guard case .failed(.tls(let error)) = record.end else {
      Issue.record("it ended with \(String(describing: record.end))")
      return
    }
    #expect(error.code == .truncated)
  }

  /// Whoever is behind the tunnel has to be who was asked for.
  @Test func theInnerServerIsVerified() async throws {
    let stand = try ChannelStand()
    defer { stand.stop() }
    let identity = try authority.issue(names: [.dns("tunnel")])
    async let served: Void = detached {
      _ = try? NestedPeer([identity, identity], over: stand.peer)
    }
    let driver = try stand.loop.withLoop {
      let driver = ChannelDriver(try stand.channel(), engines: try engines(), sending: [])
      driver.advance()
      return driver
    }
    await Eventually.expect("it has ended") { driver.record.withLock { $0.end != nil } }
    try await served
    #expect(driver.record.withLock { $0.handshakes } == 1)
    guard case .failed(.tls(let error)) = driver.record.withLock({ $0.end }),
      case .certificateRejected = error.code
    else {
      Issue.record("it was let in")
      return
    }
  }
}

/// The server's end of TLS in TLS over a blocking descriptor: engines only, no channel.
final class NestedPeer {
  struct Ended: Error {}

  /// The lowest first.
  private var engines: [TLSEngine] = []
  private let descriptor: Int32

  init(_ identities: [TLSIdentity], over descriptor: Int32) throws {
    self.descriptor = descriptor
    for identity in identities {
      engines.append(
        try TLSEngine(context: try TLSContext(server: TLSServerConfiguration(identity: identity))))
      while try step({ try $0.handshake() }) != .handshakeComplete { try pull(engines.count - 1) }
    }
  }

  private func step(_ body: (TLSEngine) throws -> TLSEngine.Step) throws -> TLSEngine.Step {
    defer { push(engines.count - 1) }
    return try body(engines[engines.count - 1])
  }

  /// Feeds the engine of that layer once.
  private func pull(_ layer: Int) throws {
    var page = [UInt8](repeating: 0, count: 32_768)
    let count = layer == 0 ? recv(descriptor, &page, page.count, 0) : try read(layer - 1, &page)
    guard count > 0 else { throw Ended() }
    page[..<count].withUnsafeBytes {
      engines[layer].feed($0)
      engines[layer].keepUnreadInput()
    }
  }

  private func read(_ layer: Int, _ page: inout [UInt8]) throws -> Int {
    while true {
      switch try page.withUnsafeMutableBytes({ try engines[layer].read(into: $0) }) {
      case .bytes(let count): return count
      case .closed: throw Ended()
      case .needsInput, .handshakeComplete, .certificateRequested: try pull(layer)
      }
    }
  }

  /// Sends what the engine of that layer has made.
  private func push(_ layer: Int) {
    let engine = engines[layer]
    while !engine.output.isEmpty {
      if layer > 0 {
        try? engines[layer - 1].write(engine.output)
        engine.outputSent(engine.output.count)
        push(layer - 1)
      } else {
        let count = Glibc.send(
          descriptor, engine.output.baseAddress, engine.output.count, Int32(MSG_NOSIGNAL))
        guard count > 0 else { return }
        engine.outputSent(count)
      }
    }
  }

  func receive(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 32_768)
    while bytes.count < count { bytes += page[..<(try read(engines.count - 1, &page))] }
    return bytes
  }

  func send(_ bytes: some Collection<UInt8>) throws {
    try Array(bytes).withUnsafeBytes { try engines[engines.count - 1].write($0) }
    push(engines.count - 1)
  }

  func sayClose() {
    for layer in engines.indices.reversed() {
      engines[layer].shutdown()
      push(layer)
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  func sayCloseOfTunnel() {
    engines[0].shutdown()
    push(0)
    shutdown(descriptor, Int32(SHUT_WR))
  }
}
