// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct ByteTextTests {
  /// Whatever the bytes are, they come back.
  @Test(arguments: [
    [], Array("plain äöü 🌍".utf8), [0xE9], [0x63, 0xE9, 0xC3, 0xA9], [0xC3], [0xF0, 0x9F],
    [0x80, 0xBF, 0xFF],
    // A surrogate, a character in too many bytes, and one of those that stand for bytes.
    [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x8F, 0xBF, 0xA9], Array(0...255),
  ])
  func bytesComeBack(bytes: [UInt8]) {
    #expect(ByteText.bytes(ByteText.text(bytes)) == bytes)
  }

  @Test func textIsText() {
    #expect(ByteText.text("äöü 🌍".utf8) == "äöü 🌍")
    #expect(ByteText.bytes("äöü 🌍") == Array("äöü 🌍".utf8))
  }

  /// Other characters that are newlines, to whoever asks for the characters, end no line.
  @Test(arguments: ["\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}", "\r"])
  func onlyLFEndsALine(other: String) {
    #expect(ByteText.lines("A: b\(other)C: d\r\n\n\r\nE: f\nG".utf8) == ["A: b\(other)C: d", "E: f", "G"])
  }

  /// A combining mark belongs to the character before it, and not to the mark of the grammar that this is.
  @Test func combiningMarksHideNothing() {
    #expect(ByteText.halves("X:\u{301}y:z", at: ":").map { [$0.before, $0.after] } == ["X", "\u{301}y:z"])
    #expect(ByteText.halves("X", at: ":").map { $0.before } == nil)
    #expect(ByteText.split("a;\u{301}b;", at: ";") == ["a", "\u{301}b", ""])
    #expect(ByteText.trimmed(" \t a b\t ") == "a b")
    #expect(ByteText.trimmed(" a ", keepsEnd: true) == "a ")
    let line = FieldLine("X-Own: \u{301}y")
    #expect(line?.name == "X-Own")
    #expect(line?.value == "\u{301}y")
    #expect(FieldLine("X-Own:\u{301}y")?.rest == "\u{301}y")
  }

  @Test func fieldsAsJSON() {
    let value = ByteText.text([0x63, 0xE9])
    let variables = TransferVariables(values: [:], fields: [("x", value)], isSuccess: true)
    #expect(
      variables.text(of: "header_json").map(ByteText.bytes) == Array("{\"x\":[\"c".utf8) + [0xE9]
        + Array("\"]\n}".utf8))
  }
}
