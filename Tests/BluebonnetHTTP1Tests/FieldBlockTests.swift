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
}
