// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import Testing

@Suite struct ContentCodingTests {
  @Test(
    arguments: [
      ("gzip", .gzip), ("GZip", .gzip), ("x-gzip", .gzip), ("deflate", .deflate), ("br", .brotli),
      ("identity", nil), ("zstd", nil), ("", nil), ("gzip ", nil),
    ] as [(String, ContentCoding?)])
  func namesAreRecognised(name: String, coding: ContentCoding?) {
    #expect(ContentCoding(name: name) == coding)
  }

  @Test(
    arguments: [
      ("", []), ("gzip", [.gzip]), ("deflate, gzip", [.deflate, .gzip]), (" br ,\tgzip\t", [.brotli, .gzip]),
      ("identity", []), ("identity, BR", [.brotli]), (",,gzip,", [.gzip]),
    ] as [(String, [ContentCoding])])
  func listsKeepTheirOrder(value: String, codings: [ContentCoding]) throws {
    #expect(try ContentCoding.list(fieldValue: value) == codings)
  }

  @Test(arguments: ["zstd", "gzip, zstd", "gzip zstd"])
  func unknownCodingsAreNamed(value: String) {
    let name = value.split(separator: ", ").last.map(String.init) ?? ""
    #expect(throws: ContentCodingError.unsupported(name)) { try ContentCoding.list(fieldValue: value) }
  }
}
