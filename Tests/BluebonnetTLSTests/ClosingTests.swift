// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct ClosingTests {
  @Test(arguments: [TLSVersion.tls12, .tls13], [1, Int.max])
  func closeNotifyEndsTheStreamCleanly(version: TLSVersion, split: Int) throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = version }, server: Shared.server(), split: split)
    try pair.handshake()
    try pair.server.write(Array("the end".utf8))
    pair.server.shutdown()
    #expect(try pair.deliver(from: pair.server, to: pair.client) == Array("the end".utf8))
    #expect(try pair.client.drain().isClosed)
    pair.client.endOfInput()
    #expect(try pair.client.drain().isClosed, "the end of the transport adds nothing")
  }

  /// A reader that stops after the bytes must be able to see that there is more to hear.
  @Test(arguments: [TLSVersion.tls12, .tls13])
  func anEndBehindBytesIsStillToBeRead(version: TLSVersion) throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = version }, server: Shared.server())
    try pair.handshake()
    _ = try pair.deliver(from: pair.server, to: pair.client)
    try pair.server.write(Array("the end".utf8))
    pair.server.shutdown()
    var buffer = [UInt8](repeating: 0, count: 100)
    let ciphertext = Array(pair.server.output)
    let step = try ciphertext.withUnsafeBytes { ciphertext in
      pair.client.feed(ciphertext)
      defer { pair.client.keepUnreadInput() }
      return try buffer.withUnsafeMutableBytes { try pair.client.read(into: $0) }
    }
    #expect(step == .bytes(7))
    #expect(pair.client.hasUnreadInput)
    #expect(try pair.client.drain().isClosed)
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func anEndWithoutCloseNotifyIsATruncation(version: TLSVersion) throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = version }, server: Shared.server())
    try pair.handshake()
    try pair.server.write(Array("cut".utf8))
    #expect(try pair.deliver(from: pair.server, to: pair.client) == Array("cut".utf8))
    pair.client.endOfInput()
    let error = #expect(throws: TLSError.self) { try pair.client.drain() }
    #expect(error?.code == .truncated)
    let again = #expect(throws: TLSError.self) { try pair.client.drain() }
    #expect(again == error)
  }

  @Test(arguments: [1, 4, 5, 20])
  func anEndInsideARecordIsATruncation(missing: Int) throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    try pair.handshake()
    _ = try pair.deliver(from: pair.server, to: pair.client)
    try pair.server.write(Array("never complete".utf8))
    let bytes = Array(pair.server.output.dropLast(missing))
    let error = #expect(throws: TLSError.self) {
      try bytes.withUnsafeBytes {
        pair.client.feed($0)
        pair.client.endOfInput()
        _ = try pair.client.drain()
      }
    }
    #expect(error?.code == .truncated)
  }

  @Test func plaintextBeforeAnErrorIsHandedOutFirst() throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    try pair.handshake()
    _ = try pair.deliver(from: pair.server, to: pair.client)
    try pair.server.write(Array("good".utf8))
    let good = pair.server.output.count
    try pair.server.write(Array("bad!".utf8))
    var bytes = Array(pair.server.output)
    bytes[good + 8] ^= 1
    var buffer = [UInt8](repeating: 0, count: 100)
    let step = try bytes.withUnsafeBytes { window in
      pair.client.feed(window)
      return try buffer.withUnsafeMutableBytes { try pair.client.read(into: $0) }
    }
    #expect(step == .bytes(4))
    #expect(Array(buffer[..<4]) == Array("good".utf8))
    let error = #expect(throws: TLSError.self) { try pair.client.drain() }
    #expect(error?.code == .protocolViolation)
    #expect(error?.fault == .peer)
  }

  /// Nothing of it is in any buffer, but whoever stops reading here has to come back, and must not write to a peer that
  /// is gone.
  @Test func anEndBehindBytesIsStillToBeRead() throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    try pair.handshake()
    _ = try pair.deliver(from: pair.server, to: pair.client)
    #expect(!pair.client.hasUnreadInput)
    try pair.server.write(Array("the end".utf8))
    pair.server.shutdown()
    var buffer = [UInt8](repeating: 0, count: 100)
    pair.client.feed(pair.server.output)
    let step = try buffer.withUnsafeMutableBytes { try pair.client.read(into: $0) }
    #expect(step == .bytes(7))
    #expect(pair.client.hasUnreadInput)
    #expect(try pair.client.drain().isClosed)
  }

  @Test func theOtherDirectionStaysOpenAfterCloseNotify() throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    try pair.handshake()
    pair.client.shutdown()
    #expect(try pair.deliver(from: pair.client, to: pair.server).isEmpty)
    #expect(try pair.server.drain().isClosed)
    try pair.server.write(Array("still here".utf8))
    #expect(try pair.deliver(from: pair.server, to: pair.client) == Array("still here".utf8))
  }

  @Test func shutdownBeforeTheHandshakeSaysNothing() throws {
    let client = try TLSEngine(context: Shared.client(), host: "localhost")
    client.shutdown()
    #expect(client.output.isEmpty)
  }
}
