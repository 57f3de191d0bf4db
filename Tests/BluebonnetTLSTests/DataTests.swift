// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct DataTests {
  @Test(arguments: [TLSVersion.tls12, .tls13], [(1, 50), (3, 400), (1000, 16_384), (.max, 100_000)])
  func bytesArriveUnchangedInBothDirections(version: TLSVersion, sizes: (split: Int, buffer: Int)) throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = version }, server: Shared.server(), split: sizes.split)
    try pair.handshake()
    let count = sizes.split < 10 ? 5000 : 200_000
    let up = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let down = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 17 &+ 5) }
    try pair.client.write(up)
    try pair.server.write(down)
    #expect(try pair.deliver(from: pair.client, to: pair.server, buffer: sizes.buffer) == up)
    #expect(try pair.deliver(from: pair.server, to: pair.client, buffer: sizes.buffer) == down)
  }

  @Test func oneReadTakesAllRecordsThatFit() throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    try pair.handshake()
    try pair.server.write([UInt8](repeating: 7, count: 100_000))
    let bytes = Array(pair.server.output)
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    let step = try bytes.withUnsafeBytes { window in
      pair.client.feed(window)
      return try buffer.withUnsafeMutableBytes { try pair.client.read(into: $0) }
    }
    #expect(step == .bytes(100_000))
    #expect(try buffer.withUnsafeMutableBytes { try pair.client.read(into: $0) } == .needsInput)
  }

  @Test func aPausedReaderLosesNothing() throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    try pair.handshake()
    let sent = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    var received: [UInt8] = []
    // The window is gone after each round, and a new one comes while the old one is not used up.
    for part in [sent[..<60_000], sent[60_000...]] {
      try pair.server.write(Array(part))
      pair.move(from: pair.server, to: pair.client) {}
      var small = [UInt8](repeating: 0, count: 1000)
      let step = try small.withUnsafeMutableBytes { try pair.client.read(into: $0) }
      #expect(step == .bytes(1000))
      received += small
      #expect(pair.client.hasUnreadInput)
    }
    received += try pair.client.drain().bytes
    #expect(received == sent)
    #expect(!pair.client.hasUnreadInput)
  }

  @Test func outputIsSentInAnyPortions() throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    try pair.handshake()
    let sent = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 11) }
    try pair.client.write(sent)
    var received: [UInt8] = []
    var portion = 1
    while !pair.client.output.isEmpty {
      let bytes = Array(pair.client.output.prefix(portion))
      pair.client.outputSent(bytes.count)
      received += try bytes.withUnsafeBytes { window in
        pair.server.feed(window)
        defer { pair.server.keepUnreadInput() }
        return try pair.server.drain().bytes
      }
      portion = portion * 2 + 1
    }
    #expect(received == sent)
  }

  @Test func writingNothingSendsNothing() throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    try pair.handshake()
    pair.client.outputSent(pair.client.output.count)
    try pair.client.write([])
    #expect(pair.client.output.isEmpty)
  }
}
