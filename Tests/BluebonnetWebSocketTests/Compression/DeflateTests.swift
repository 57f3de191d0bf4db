// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetWebSocket

@Suite struct DeflateTests {
  private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

  /// The examples of RFC 7692 §7.2.3, at every split.
  static let rows: [FrameRow] = [
    FrameRow("one block", frame(0xC1, hello), .text("Hello"), deflate: WebSocketDeflate()),
    FrameRow(
      "one block in two frames", frame(0x41, Array(hello[..<3])) + frame(0x80, Array(hello[3...])),
      .text("Hello"),
      deflate: WebSocketDeflate()),
    FrameRow(
      "the window of the message before",
      frame(0xC1, hello) + frame(0xC1, [0xF2, 0x00, 0x11, 0x00, 0x00]), .text("Hello"), .text("Hello"),
      deflate: WebSocketDeflate()),
    FrameRow(
      "a stored block", frame(0xC1, [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]),
      .text("Hello"), deflate: WebSocketDeflate()),
    FrameRow(
      "a last block", frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]), .text("Hello"),
      deflate: WebSocketDeflate()),
    FrameRow(
      "the window of a last block",
      frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00])
        + frame(0xC1, [0xF2, 0x00, 0x11, 0x00, 0x00]),
      .text("Hello"), .text("Hello"), deflate: WebSocketDeflate()),
    FrameRow(
      "two blocks",
      frame(0xC1, [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]),
      .text("Hello"),
      deflate: WebSocketDeflate()),
    FrameRow("an empty message", frame(0xC1, [0x00]), .text(""), deflate: WebSocketDeflate()),
    FrameRow(
      "a ping inside, and what is not compressed behind",
      frame(0x41, Array(hello[..<3])) + frame(0x89, "x") + frame(0x80, Array(hello[3...]))
        + frame(0x81, "plain"),
      .ping("x"), .text("Hello"), .text("plain"), deflate: WebSocketDeflate()),
    FrameRow(
      "no such block", frame(0xC1, [0x06, 0x00]), .failed(.invalidDeflate), deflate: WebSocketDeflate()),
    FrameRow(
      "a distance into what was forgotten",
      frame(0xC1, hello) + frame(0xC1, [0xF2, 0x00, 0x11, 0x00, 0x00]), .text("Hello"),
      .failed(.invalidDeflate),
      deflate: forgetful),
    FrameRow(
      "compressed text that is none", frame(0xC1, [0x00, 0x01, 0x00, 0xFE, 0xFF, 0xFF, 0x00]),
      .failed(.invalidText), deflate: WebSocketDeflate()),
  ]

  private static var forgetful: WebSocketDeflate {
    var deflate = WebSocketDeflate()
    deflate.peerNoContextTakeover = true
    return deflate
  }

  @Test(arguments: rows) func isInflatedTheSameAtEverySplit(row: FrameRow) {
    for cut in 0...row.wire.count {
      var endpoint = row.endpoint()
      #expect(
        endpoint.hear(pieces: [Array(row.wire[..<cut]), Array(row.wire[cut...])]) == row.told, "cut at \(cut)"
      )
    }
    var endpoint = row.endpoint()
    #expect(endpoint.hear(pieces: row.wire.map { [$0] }) == row.told)
  }

  /// With context takeover, what was said before makes what is said again shorter.
  @Test(arguments: [false, true]) func theWindowIsKeptBetweenMessages(forgets: Bool) throws {
    var deflate = WebSocketDeflate()
    deflate.ownNoContextTakeover = forgets
    deflate.peerNoContextTakeover = forgets
    var sender = client(deflate: deflate)
    var receiver = server(deflate: deflate)
    let message = (0..<400).map { "\($0 * 7919 % 1009)" }.joined()
    var sizes: [Int] = []
    for _ in 0..<3 {
      try sender.say(message)
      let wire = sender.flush()
      sizes.append(wire.count)
      #expect(receiver.hear(wire) == [.text(message)])
      try receiver.say(message)
      #expect(sender.hear(receiver.flush()) == [.text(message)])
    }
    #expect(forgets ? sizes[1] == sizes[0] : sizes[1] < sizes[0] / 5)
  }

  /// What is cut off is not made up for: the bytes that every sender takes away would be read as data.
  @Test func aMessageThatIsCutOffIsRefused() throws {
    for text in ["Hello", (0..<400).map { "\($0 * 7919 % 1009)" }.joined()] {
      var deflater = try MessageDeflater(windowBits: 15, forgets: false)
      let bytes = Array(text.utf8)
      let whole = bytes.withUnsafeBytes { deflater.deflate($0, isLast: true) }
      for count in 1..<whole.count {
        var endpoint = client(deflate: WebSocketDeflate())
        #expect(
          endpoint.hear(frame(0xC2, Array(whole[..<count]))) == [.failed(.invalidDeflate)], "\(count) bytes")
      }
      // Whoever takes nothing away has said as much.
      var endpoint = client(deflate: WebSocketDeflate())
      let twice = frame(0xC2, whole + [0, 0, 0xFF, 0xFF]) + frame(0xC2) + frame(0xC2, whole)
      #expect(endpoint.hear(twice) == [.binary(bytes), .binary([]), .binary(bytes)])
    }
  }

  @Test func shortMessagesGoOutAsTheyAre() throws {
    var deflate = WebSocketDeflate()
    deflate.threshold = 100
    var sender = server(deflate: deflate)
    try sender.say(pattern(99))
    #expect(sender.flush() == frame(0x82, pattern(99)))
    try sender.say(pattern(100))
    #expect(sender.flush()[0] == 0xC2)
    // zlib has no window of 256 bytes.
    deflate.ownWindowBits = 8
    sender = server(deflate: deflate)
    try sender.say(pattern(1000))
    #expect(sender.flush() == frame(0x82, pattern(1000)))
  }

  /// A megabyte of zeros takes a kilobyte: what comes out is counted, and nothing beyond the limit is kept.
  @Test func aBombIsRefused() throws {
    var sender = client(deflate: WebSocketDeflate())
    var receiver = server(deflate: WebSocketDeflate(), limits: WebSocketLimits(messageBytes: 100_000))
    try sender.say([UInt8](repeating: 0, count: 100_000))
    #expect(receiver.hear(sender.flush()).count == 1)
    try sender.say([UInt8](repeating: 0, count: 5_000_000))
    let wire = sender.flush()
    #expect(wire.count < 100_000)
    #expect(receiver.hear(wire) == [.failed(.messageTooLong)])
    #expect(sender.hear(receiver.flush()) == [.close(1009, "")])
  }
}
