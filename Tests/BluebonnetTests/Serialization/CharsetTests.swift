// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Foundation
import Testing

@testable import Bluebonnet

/// Bodies in charsets that Foundation on Linux has no converter for.
@Suite struct CharsetTests {
  private func text(_ label: String, _ bytes: [UInt8]) throws -> String {
    let url = try #require(URL(string: "http://a.test/"))
    let response = HTTPURLResponse(
      url: url, statusCode: 200, httpVersion: nil,
      headerFields: ["Content-Type": "text/plain; charset=\(label)"])
    return try StringResponseSerializer().serialize(
      request: nil, response: response, data: Data(bytes), error: nil)
  }

  @Test(arguments: [
    ("EUC-JP", [0xC6, 0xFC, 0xCB, 0xDC], "\u{65E5}\u{672C}"), ("x-euc-jp", [0xC6, 0xFC], "\u{65E5}"),
    ("Shift_JIS", [0x93, 0xFA], "\u{65E5}"), ("sjis", [0x93, 0xFA], "\u{65E5}"),
    ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61], "\u{65E5}a"),
    ("gbk", [0xC4, 0xE3, 0xBA, 0xC3], "\u{4F60}\u{597D}"), ("GB2312", [0xC4, 0xE3], "\u{4F60}"),
    ("gb18030", [0x81, 0x30, 0x81, 0x30, 0xA8, 0xA2], "\u{80}\u{E1}"), ("big5", [0xA7, 0x41], "\u{4F60}"),
    ("euc-kr", [0xC7, 0xD1], "\u{D55C}"), ("ks_c_5601-1987", [0xC7, 0xD1], "\u{D55C}"),
    ("koi8-r", [0xC1, 0xC2], "\u{430}\u{431}"), ("koi8-u", [0xA4], "\u{454}"),
    ("iso-8859-15", [0xA4], "\u{20AC}"), ("latin5", [0xFD], "\u{131}"), ("iso-8859-7", [0xE1], "\u{3B1}"),
    ("iso-8859-5", [0xD0], "\u{430}"), ("iso-8859-8-i", [0xE0], "\u{5D0}"), ("iso-8859-6", [0xC7], "\u{627}"),
    ("windows-1253", [0xE1], "\u{3B1}"), ("windows-874", [0xA1], "\u{E01}"), ("ibm866", [0xA0], "\u{430}"),
    ("macintosh", [0x80], "\u{C4}"), ("\"'utf-8'\"", Array("\u{20AC}".utf8), "\u{20AC}"),
    ("'utf-8'", Array("\u{20AC}".utf8), "\u{20AC}"), ("utf8", Array("\u{20AC}".utf8), "\u{20AC}"),
    ("unknown-charset", [0xE4], "\u{E4}"), ("iso-8859-1", [0xE4], "\u{E4}"),
  ])
  func bytesBecomeText(label: String, bytes: [UInt8], text: String) throws {
    #expect(try self.text(label, bytes) == text)
  }

  /// Longer than one piece of the converter's output, so that it goes on where it stopped.
  @Test func aLongText() throws {
    let bytes = Array(repeatElement([UInt8(0xC7), 0xD1], count: 20_001).joined())
    #expect(try text("euc-kr", bytes) == String(repeating: "\u{D55C}", count: 20_001))
  }

  @Test(arguments: [
    ("euc-kr", [0xC7]), ("gbk", [0xFF, 0xFF]), ("euc-jp", [0x8F, 0x20]), ("'utf-8'", [0xFF]),
  ])
  func bytesOfNoCharacterAreAnError(label: String, bytes: [UInt8]) {
    let error = #expect(throws: AFError.self) { try text(label, bytes) }
    #expect(error?.isResponseSerializationError == true)
  }

  /// Every label of the table has a converter on this machine.
  @Test func eachNameHasAConverter() {
    for label in [
      "iso-8859-3", "iso-8859-4", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-16",
      "windows-1250", "windows-1251", "windows-1252", "windows-1255", "windows-1256", "windows-1257",
      "windows-1258", "x-mac-cyrillic", "windows-1254", "latin2",
    ] {
      #expect(Charset(label: label)?.decode(Data("a".utf8)) == "a", "\(label)")
    }
    #expect(Charset(label: "") == nil && Charset(label: "''") == nil && Charset(label: "utf-7") == nil)
  }
}
