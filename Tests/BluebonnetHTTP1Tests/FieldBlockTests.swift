// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetHTTP1

@Suite struct FieldBlockTests {
  let block = FieldBlock([("Host", "a"), ("X-One", "1"), ("x-one", "2"), ("Set-Cookie", "k=\u{e9}")])

  @Test func lookupIgnoresCaseAndKeepsOrder() {
    #expect(block.count == 4)
    #expect(block.values("X-ONE") == ["1", "2"])
    #expect(block.first("x-One") == "1")
    #expect(block.first("x-on") == nil)
    #expect(block.first(.setCookie) == "k=\u{e9}")
    #expect(block.values(.host) == ["a"])
    #expect(block.index(of: .cookie) == nil)
    #expect(block.map(\.name) == ["Host", "X-One", "x-one", "Set-Cookie"])
  }

  @Test func everyKnownFieldIsRecognisedInAnyCase() {
    for field in KnownField.allCases {
      #expect(KnownField(name: field.name) == field)
      #expect(KnownField(name: field.name.uppercased()) == field)
      #expect(KnownField(name: field.name + "x") == nil)
      #expect(KnownField(name: "x" + field.name) == nil)
      #expect(KnownField(name: String(field.name.dropLast())) != field)
      for index in 0..<field.name.utf8.count {
        var bytes = Array(field.name.utf8)
        bytes[index] = UInt8(ascii: "~")
        #expect(KnownField(name: String(decoding: bytes, as: UTF8.self)) == nil)
      }
    }
    #expect(KnownField.allCases.count <= 64)
    #expect(KnownField(name: "") == nil)
  }

  @Test func valuesThatAreNotUTF8AreLatin1() {
    let decode: ([UInt8]) -> String = { $0.withUnsafeBufferPointer(FieldBlock.text) }
    #expect(decode([0x61, 0xE9]) == "a\u{e9}")
    #expect(decode([0xC3, 0xA9]) == "\u{e9}")
  }

  @Test func tokenMasksAreTheTokenCharacters() {
    let members = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    for byte in UInt8.min...UInt8.max {
      #expect(ByteClass.token.contains(byte) == members.contains(byte))
    }
  }

  @Test(arguments: ["Location: /caf", "Location : /caf", "Location: /a\r\n /caf"])
  func bytesBeyondASCIIStayWhatTheyWere(line: String) throws {
    let bytes = Array("HTTP/1.1 302 Found\r\n\(line)".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
    var parser = ResponseParser(toMethod: .head, mode: .tolerant)
    var consumed = 0
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .head)
    let fields = parser.head.fields
    let index = try #require(fields.index(of: .location))
    let value = fields.withValue(at: index) { span in span.indices.map { span[$0] } }
    #expect(value.suffix(5) == [0x2F, 0x63, 0x61, 0x66, 0xE9])
    #expect(fields.first(.location)?.hasSuffix("/caf\u{e9}") == true)
  }

  /// RFC 9112 §2.2: what is shown of a head begins at its status line.
  @Test(arguments: ["", "\r\n", "\r\n\r\n", "\n"])
  func emptyLinesBeforeAHeadAreNoPartOfIt(before: String) throws {
    let head = Array("HTTP/1.1 204 No Content\r\nA: b\r\n\r\n".utf8)
    let bytes = Array(before.utf8) + head
    var parser = ResponseParser(toMethod: .ordinary, mode: .lenient)
    var consumed = 0
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .head)
    #expect(parser.head.fields.head == head)
  }
}
