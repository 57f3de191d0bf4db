// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport

@Suite struct TLSChannelTests {
  private static let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
  private static let planted = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nplanted"

  private let contexts: [TLSVersion: (client: TLSContext, server: TLSContext)]

  init() throws {
    let authority = try CertificateAuthority()
    let identity = try authority.issue(names: [.dns("server")])
    var contexts: [TLSVersion: (client: TLSContext, server: TLSContext)] = [:]
    for version in [TLSVersion.tls12, .tls13] {
      var client = TLSClientConfiguration()
      client.anchors = .certificates([authority.certificate])
      var server = TLSServerConfiguration(identity: identity)
      server.maximumVersion = version
      contexts[version] = (try TLSContext(client: client), try TLSContext(server: server))
    }
    self.contexts = contexts
  }

  /// Runs `body` with a channel and the server behind it, both through their handshake, while the loop is held.
  private func withChannel(_ version: TLSVersion, _ body: (TLSChannel, Far) throws -> Void) throws {
    let stand = try ChannelStand()
    defer { stand.stop() }
    let contexts = try #require(contexts[version])
    try stand.loop.withLoop {
      let lower = BreakableChannel(over: try stand.channel())
      let channel = TLSChannel(try TLSEngine(context: contexts.client, host: "server"), over: lower)
      let far = Far(try TLSEngine(context: contexts.server), stand.peer, lower)
      var isComplete = false
      for _ in 0..<4 where !isComplete || !far.isSecured {
        if !isComplete { isComplete = channel.handshake() == .complete }
        try far.advance()
      }
      try #require(isComplete && far.isSecured)
      // What a server has to say behind its handshake.
      while channel.readText().outcome == .bytes(0) {}
      #expect(channel.isQuiet)
      try body(channel, far)
      channel.close()
    }
  }

  /// Reads until there is nothing more for now.
  private func readAll(_ channel: TLSChannel) -> String {
    var text = ""
    while true {
      let (piece, outcome) = channel.readText()
      text += piece
      guard case .bytes = outcome else { return text }
    }
  }

  /// The number of bytes of a record's header, which OpenSSL does not count as pending, is one of the cuts.
  @Test(arguments: [TLSVersion.tls12, .tls13])
  func aRecordThatWasBegunBehindAResponseIsSeen(version: TLSVersion) throws {
    var cut = 0
    var count = 1
    while cut < count {
      try withChannel(version) { channel, far in
        let response = try far.encrypted(Self.response)
        let planted = try far.encrypted(Self.planted)
        count = planted.count
        far.send(response + planted[..<cut])
        let (text, outcome) = channel.readText()
        #expect(text == Self.response && outcome == .bytes(Self.response.utf8.count))
        #expect(channel.hasUnread == (cut > 0), "cut at \(cut)")
        #expect(channel.isQuiet == (cut == 0), "cut at \(cut)")
        #expect(readAll(channel) == "")
        #expect(channel.isQuiet == (cut == 0), "cut at \(cut)")
        // And whatever it was, it was there.
        far.send(planted[cut...])
        #expect(readAll(channel) == Self.planted)
        #expect(channel.isQuiet)
      }
      cut += 1
    }
    #expect(cut > Self.planted.utf8.count)
  }

  /// OpenSSL passes over a HelloRequest for as long as there are any (RFC 5246 §7.4.1.1), and nobody else on the loop would have a turn.
  @Test func aHandshakeHasAnEnd() throws {
    let loop = EventLoop(name: "test")
    defer { loop.stop() }
    let client = try #require(contexts[.tls12]).client
    // Sixteen in a record.
    let flood = Array(repeating: [0x16, 3, 3, 0, 64] + [UInt8](repeating: 0, count: 64), count: 1_000)
      .flatMap(\.self)
    try loop.withLoop {
      let (near, far) = MemoryChannel.pair(on: loop)
      let channel = TLSChannel(try TLSEngine(context: client, host: "server"), over: near)
      var sent = 0
      var outcome = TLSChannel.Handshake.later
      while outcome == .later, sent < 4 * TLSChannel.handshakeLimit {
        if case .bytes(let count) = flood.withUnsafeBytes({ far.write($0) }) { sent += count }
        outcome = channel.handshake()
      }
      #expect(outcome == .failed(.tls(.endlessHandshake)))
      #expect(sent <= TLSChannel.handshakeLimit + 2 * MemoryChannel.capacity)
      channel.close()
      far.close()
    }
  }

  /// The same while nobody is served, a byte at a time.
  @Test(arguments: [TLSVersion.tls12, .tls13])
  func aRecordThatIsBegunOnAnIdleConnectionIsSeen(version: TLSVersion) throws {
    try withChannel(version) { channel, far in
      for _ in 1...2 {
        far.send(try far.encrypted(Self.response))
        #expect(readAll(channel) == Self.response)
        #expect(channel.isQuiet)
        let planted = try far.encrypted(Self.planted)
        for (offset, byte) in planted.dropLast().enumerated() {
          far.send([byte])
          #expect(readAll(channel) == "")
          #expect(!channel.isQuiet && channel.hasUnread, "\(offset + 1) bytes")
        }
        far.send(planted.suffix(1))
        #expect(readAll(channel) == Self.planted)
        #expect(channel.isQuiet)
      }
    }
  }

  /// Whoever wrote it has been told that it did not go, and may have said it elsewhere.
  @Test(arguments: [TLSVersion.tls12, .tls13])
  func whatFailedWholeNeverGoesOutLater(version: TLSVersion) throws {
    try withChannel(version) { channel, far in
      #expect(channel.write(text: "first") == .bytes(5))
      let received = try far.received()
      #expect(received == "first")
      let fault = ChannelFault.network(SystemError(errno: ENETDOWN, call: "send"))
      far.lower.fault = fault
      #expect(channel.write(text: "second") == .failed(fault))
      far.lower.fault = nil
      #expect(channel.flush() == .failed(fault))
      #expect(channel.write(text: "third") == .failed(fault))
      #expect(channel.write(texts: ["fou", "rth"]) == .failed(fault))
      channel.notifyOfClose()
      #expect(channel.flush() == .failed(fault))
      #expect(far.receivedBytes().isEmpty)
    }
  }
}

/// The server's end: an engine over a blocking descriptor, from which it never waits.
private final class Far {
  let lower: BreakableChannel
  private let engine: TLSEngine
  private let descriptor: Int32
  private(set) var isSecured = false

  init(_ engine: TLSEngine, _ descriptor: Int32, _ lower: BreakableChannel) {
    self.engine = engine
    self.descriptor = descriptor
    self.lower = lower
  }

  func advance() throws {
    feed(receivedBytes())
    if !isSecured { isSecured = try engine.handshake() == .handshakeComplete }
    send(takeOutput())
  }

  func encrypted(_ text: String) throws -> [UInt8] {
    try Array(text.utf8).withUnsafeBytes { try engine.write($0) }
    return takeOutput()
  }

  /// In one call, and with word to the other end that there is something.
  func send(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard !bytes.isEmpty else { return }
    #expect(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    lower.socket.ready([.readable])
  }

  func receivedBytes() -> [UInt8] {
    var page = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &page, page.count, Int32(MSG_DONTWAIT))
    return Array(page.prefix(max(count, 0)))
  }

  func received() throws -> String {
    feed(receivedBytes())
    var page = [UInt8](repeating: 0, count: 65_536)
    guard case .bytes(let count) = try page.withUnsafeMutableBytes({ try engine.read(into: $0) }) else {
      return ""
    }
    return String(decoding: page[..<count], as: UTF8.self)
  }

  private func feed(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes {
      engine.feed($0)
      engine.keepUnreadInput()
    }
  }

  private func takeOutput() -> [UInt8] {
    let bytes = Array(engine.output)
    engine.outputSent(bytes.count)
    return bytes
  }
}

/// A socket that takes nothing while it has a fault.
private final class BreakableChannel: Channel {
  let socket: SocketChannel
  var fault: ChannelFault?

  init(over socket: SocketChannel) { self.socket = socket }

  var loop: EventLoop { socket.loop }
  var owner: (any ChannelOwner)? {
    get { socket.owner }
    set { socket.owner = newValue }
  }
  var layers: Int { 0 }
  var mayRead: Bool { socket.mayRead }
  var hasHungUp: Bool { socket.hasHungUp }
  var hasUnread: Bool { socket.hasUnread }
  var isQuiet: Bool { socket.isQuiet }
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ChannelReading { socket.read(into: buffer) }
  func setReceiveLowWater(_ count: Int) { socket.setReceiveLowWater(count) }
  func write(_ pieces: UnsafeMutableBufferPointer<iovec>) -> ChannelWriting {
    fault.map { .failed($0) } ?? socket.write(pieces)
  }
  func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWriting {
    fault.map { .failed($0) } ?? socket.write(bytes)
  }
  func flush() -> ChannelFlush { fault.map { .failed($0) } ?? socket.flush() }
  var unsentBytes: Int { socket.unsentBytes }
  var unacknowledgedBytes: Int? { socket.unacknowledgedBytes }
  func notifyOfClose() { socket.notifyOfClose() }
  func endSending() { socket.endSending() }
  func resetOnClose() { socket.resetOnClose() }
  func close() { socket.close() }
}
