// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetWebSocket

/// RFC 6455 §5 to §7 as a table, every row at every split.
@Suite struct FrameTableTests {
  /// §5.7, and what the lengths' three forms hold.
  static let valid: [FrameRow] = [
    FrameRow("an unmasked text", [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], .text("Hello")),
    FrameRow(
      "a text in two fragments", [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], .text("Hello")),
    FrameRow("a ping", [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], .ping("Hello")),
    FrameRow("a pong", frame(0x8A, "Hello"), .pong("Hello")),
    FrameRow("256 bytes", frame(0x82, pattern(256)), .binary(pattern(256))),
    FrameRow("65,536 bytes", frame(0x82, pattern(65_536)), .binary(pattern(65_536))),
    FrameRow("125 bytes", frame(0x82, pattern(125)), .binary(pattern(125))),
    FrameRow("126 bytes", frame(0x82, pattern(126)), .binary(pattern(126))),
    FrameRow("an empty text", frame(0x81), .text("")),
    FrameRow("an empty binary", frame(0x82), .binary([])),
    FrameRow("an empty ping and an empty pong", frame(0x89) + frame(0x8A), .ping(""), .pong("")),
    FrameRow("a ping of 125 bytes", frame(0x89, text(125)), .ping(text(125))),
    FrameRow(
      "two messages", frame(0x81, "a") + frame(0x82, [1, 2]), .text("a"), .binary([1, 2])),
    FrameRow(
      "fragments, some of them empty",
      frame(0x01) + frame(0x00, "a") + frame(0x00) + frame(0x00, "b") + frame(0x80), .text("ab")),
    FrameRow(
      "control frames between fragments",
      frame(0x02, [1]) + frame(0x89, "x") + frame(0x00, [2]) + frame(0x8A, "y") + frame(0x80, [3]),
      .ping("x"), .pong("y"), .binary([1, 2, 3])),
    FrameRow(
      "a character over three fragments",
      frame(0x01, [0xE2]) + frame(0x00, [0x82]) + frame(0x80, [0xAC]), .text("€")),
    FrameRow(
      "binary is not text", frame(0x82, [0xFF, 0xC0, 0x80]), .binary([0xFF, 0xC0, 0x80])),
    FrameRow("the highest code point", frame(0x81, [0xF4, 0x8F, 0xBF, 0xBF]), .text("\u{10FFFF}")),
    FrameRow(
      "a message just within the limit", frame(0x02, pattern(6)) + frame(0x80, pattern(4)),
      .binary(pattern(6) + pattern(4)), limits: WebSocketLimits(messageBytes: 10)),
    FrameRow(
      "frames just within theirs", frame(0x02, pattern(4)) + frame(0x80, pattern(4)),
      .binary(pattern(4) + pattern(4)), limits: WebSocketLimits(messageBytes: 10, frameBytes: 4)),
  ]

  static let closes: [FrameRow] = [
    FrameRow("a Close without a code", frame(0x88), .close(1005, "")),
    FrameRow("a Close with a reason", frame(0x88, [0x03, 0xE8] + Array("bye".utf8)), .close(1000, "bye")),
    FrameRow(
      "a Close inside a message", frame(0x01, "a") + frame(0x88, [0x03, 0xE9]), .close(1001, "")),
    FrameRow(
      "what comes behind a Close is not looked at",
      frame(0x88, [0x03, 0xE8]) + frame(0x81, "a") + [0xFF, 0xFF],
      .close(1000, "")),
    FrameRow(
      "the longest reason", frame(0x88, [0x0F, 0xA0] + Array(text(123).utf8)), .close(4000, text(123))),
  ]

  /// What a server must not do.
  static let hostile: [FrameRow] = [
    FrameRow("RSV1 without compression", frame(0xC1, "a"), .failed(.reservedBit)),
    FrameRow("RSV2", frame(0xA1, "a"), .failed(.reservedBit)),
    FrameRow("RSV3", frame(0x91, "a"), .failed(.reservedBit)),
    FrameRow("RSV1 of a control frame", frame(0xC9), .failed(.reservedBit), deflate: WebSocketDeflate()),
    FrameRow(
      "RSV1 of a continuation", frame(0x41, [0x00]) + frame(0xC0, [0x00]), .failed(.reservedBit),
      deflate: WebSocketDeflate()),
    FrameRow("a masked frame", masked(0x81, Array("a".utf8)), .failed(.maskedFrame)),
    FrameRow("a ping in fragments", frame(0x09, "a"), .failed(.fragmentedControl)),
    FrameRow("a Close in fragments", frame(0x08), .failed(.fragmentedControl)),
    FrameRow("a ping of 126 bytes", frame(0x89, text(126)), .failed(.controlTooLong)),
    FrameRow("a Close of 126 bytes", frame(0x88, pattern(126)), .failed(.controlTooLong)),
    FrameRow("a continuation of nothing", frame(0x80, "a"), .failed(.unexpectedContinuation)),
    FrameRow(
      "a continuation behind a message", frame(0x81, "a") + frame(0x80, "b"), .text("a"),
      .failed(.unexpectedContinuation)),
    FrameRow("a text inside a text", frame(0x01, "a") + frame(0x81, "b"), .failed(.interruptedMessage)),
    FrameRow("a binary inside a text", frame(0x01, "a") + frame(0x02, "b"), .failed(.interruptedMessage)),
    FrameRow("16 bits for 125", [0x82, 126, 0, 125], .failed(.invalidLength)),
    FrameRow("64 bits for 65,535", [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .failed(.invalidLength)),
    FrameRow("the highest bit of a length", [0x82, 127, 0x80, 0, 0, 0, 0, 1, 0, 0], .failed(.invalidLength)),
    FrameRow(
      "the longest length there is", [0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      .failed(.messageTooLong)),
    FrameRow(
      "lengths whose sum overflows",
      frame(0x02, [1]) + [0x80, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .failed(.messageTooLong)
    ),
    FrameRow(
      "a message over the limit", frame(0x82, pattern(11)), .failed(.messageTooLong),
      limits: WebSocketLimits(messageBytes: 10)),
    FrameRow(
      "fragments over the limit", frame(0x02, pattern(6)) + frame(0x80, pattern(5)), .failed(.messageTooLong),
      limits: WebSocketLimits(messageBytes: 10)),
    FrameRow(
      "a frame over its limit", frame(0x82, pattern(5)), .failed(.frameTooLong),
      limits: WebSocketLimits(messageBytes: 10, frameBytes: 4)),
    FrameRow("a Close of one byte", frame(0x88, [3]), .failed(.invalidClose)),
    FrameRow(
      "a Close whose reason is no text", frame(0x88, [0x03, 0xE8, 0xFF]), .failed(.invalidText)),
    FrameRow(
      "a Close whose reason ends inside a character", frame(0x88, [0x03, 0xE8, 0xC3]), .failed(.invalidText)),
  ]

  /// What no text may hold (RFC 3629 §4), and which byte tells: the next one need not come.
  static let broken: [FrameRow] =
    [
      [0x80], [0xC0], [0xC1], [0xF5], [0xFF], [0xC3, 0x28], [0xE0, 0x9F], [0xED, 0xA0], [0xF0, 0x8F],
      [0xF4, 0x90],
      [0xE2, 0x82, 0x28], [0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x80],
    ].map { bytes in
      // Of a fragment that promises more.
      FrameRow("\(bytes) is no text", [0x01, UInt8(bytes.count + 9)] + bytes, .failed(.invalidText))
    } + [
      FrameRow("text that ends inside a character", frame(0x81, [0xE2, 0x82]), .failed(.invalidText)),
      FrameRow(
        "text that ends inside a character in its last fragment",
        frame(0x01, "a") + frame(0x00, [0xE2]) + frame(0x80, [0x82]), .failed(.invalidText)),
    ]

  /// The opcodes that mean nothing.
  static let reserved: [FrameRow] = [0x3, 0x4, 0x5, 0x6, 0x7, 0xB, 0xC, 0xD, 0xE, 0xF].map {
    FrameRow("opcode \($0)", frame(0x80 | $0), .failed(.reservedOpcode))
  }

  @Test(arguments: valid + closes + hostile + broken + reserved)
  func isToldTheSameAtEverySplit(row: FrameRow) {
    var whole = row.endpoint()
    #expect(whole.hear(row.wire) == row.told)
    let said = whole.flush()
    // Long payloads are cut where something happens.
    let cuts = row.wire.count < 300 ? Array(0...row.wire.count) : [0, 1, 2, 3, 9, 10, 11, row.wire.count - 1]
    for cut in cuts {
      var endpoint = row.endpoint()
      #expect(
        endpoint.hear(pieces: [Array(row.wire[..<cut]), Array(row.wire[cut...])]) == row.told, "cut at \(cut)"
      )
      #expect(endpoint.flush().count == said.count)
    }
    var endpoint = row.endpoint()
    #expect(endpoint.hear(pieces: row.wire.map { [$0] }) == row.told, "byte by byte")
  }

  /// Every code from 0 on, of which 13 groups matter (§7.4).
  @Test func closeCodes() {
    for code in UInt16(0)...5100 {
      let isValid =
        (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
      var endpoint = client()
      let told = endpoint.hear(frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)]))
      #expect(told == [isValid ? .close(code, "") : .failed(.invalidClose)], "code \(code)")
      #expect(WebSocketCloseCode(rawValue: code).isSendable == isValid)
    }
  }

  /// A server hears masked frames, and nothing else.
  @Test func aServerHearsAClient() {
    let wire =
      masked(0x01, Array("Hel".utf8)) + masked(0x89, Array("x".utf8)) + masked(0x80, Array("lo".utf8))
    for cut in 0...wire.count {
      var endpoint = server()
      #expect(
        endpoint.hear(pieces: [Array(wire[..<cut]), Array(wire[cut...])]) == [.ping("x"), .text("Hello")])
    }
    var endpoint = server()
    #expect(endpoint.hear(frame(0x81, "Hello")) == [.failed(.unmaskedFrame)])
    // §5.7
    endpoint = server()
    #expect(
      endpoint.hear([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]) == [.text("Hello")])
  }

  /// An error stays.
  @Test func anErrorIsRepeated() {
    var endpoint = client()
    #expect(endpoint.hear(frame(0x83)) == [.failed(.reservedOpcode)])
    #expect(endpoint.hear(frame(0x81, "a")) == [.failed(.reservedOpcode)])
    #expect(throws: WebSocketError(.reservedOpcode)) { try endpoint.peerEnded() }
  }
}

/// Bytes that repeat after 251, so that no power of two hides a shift.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

func text(_ count: Int) -> String {
  // By bytes: characters are counted one by one.
  let alphabet = String(repeating: "abcdefghijk", count: count / 11 + 1)
  return String(decoding: alphabet.utf8.prefix(count), as: UTF8.self)
}
