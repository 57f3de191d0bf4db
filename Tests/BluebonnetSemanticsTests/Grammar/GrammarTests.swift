// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@Suite struct GrammarTests {
  @Test func everyByteHasTheDigitThatItIs() {
    for byte in UInt8.min...UInt8.max {
      #expect(Byte.hexadecimalValue(byte) == Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) })
      #expect(byte.asciiLowercased == (65...90 ~= byte ? byte + 32 : byte))
      let encoded = Byte.percentEncoded(byte)
      #expect(PercentCoding.decoded(encoded) == [byte])
      let digits = String(byte, radix: 16, uppercase: true)
      #expect(String(decoding: encoded, as: UTF8.self) == "%" + (byte < 16 ? "0" : "") + digits)
    }
  }

  @Test(arguments: [
    ("a%20b", "a b"), ("%41%5a", "AZ"), ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"),
    ("%4%41", "%4A"), ("", ""),
  ])
  func percentSignsThatEncodeNothingStay(_ text: String, _ decoded: String) {
    #expect(String(decoding: PercentCoding.decoded(text.utf8), as: UTF8.self) == decoded)
  }

  @Test func caseIsFoldedInASCIIOnly() {
    #expect("Content-TYPE".equalsIgnoringASCIICase("content-type"))
    #expect(!"straße".equalsIgnoringASCIICase("STRASSE"))
    #expect(!"\u{212A}".equalsIgnoringASCIICase("k"))
    #expect(!"abc".equalsIgnoringASCIICase("abcd"))
    #expect("abc"[...].equalsIgnoringASCIICase("ABC"))
    #expect("ÄB".asciiLowercased == "Äb")
    #expect(" \t a b\t".trimmingOptionalWhitespace == "a b")
  }

  @Test func percentEncoding() {
    let all = (0...255).map { UInt8($0) }
    #expect(PercentCoding.decoded(PercentCoding.encoded(all)) == all)
    #expect(
      String(decoding: PercentCoding.encoded("aZ0-._~ /é".utf8), as: UTF8.self) == "aZ0-._~%20%2F%C3%A9")
    #expect(String(decoding: PercentCoding.encodedForm("a b+c".utf8), as: UTF8.self) == "a+b%2Bc")
  }
}
