// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import BluebonnetTestSupport
import Testing

@Suite struct ContentEncoderTests {
  @Test(arguments: ContentCoding.allCases, [0, 1, 6, 9, 11])
  func whatIsEncodedDecodes(coding: ContentCoding, level: Int) throws {
    for count in [0, 1, 1000, 300_000] {
      let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let coded = try ContentEncoder.encode(plain, as: coding, level: level)
      #expect(try decode(coded, [coding]) == plain)
      if level > 0, count == 300_000 { #expect(coded.count < 10_000) }
    }
  }

  /// However the input is cut, and more of it than any encoder keeps.
  @Test(arguments: ContentCoding.allCases, [1, 997, 65_536, 5_000_000])
  func whatIsEncodedInPiecesDecodes(coding: ContentCoding, size: Int) throws {
    var generator = SeededGenerator(seed: 7)
    // Noise, which no coding makes smaller, and words, which each does.
    let noise = generator.bytes(size == 1 ? 5000 : 3_000_000)
    let plain = noise + Array(repeatElement(Array("bluebonnet ".utf8), count: 1000).joined())
    let encoder = try ContentEncoder(coding)
    var coded: [UInt8] = []
    for start in stride(from: 0, to: plain.count, by: size) {
      try Array(plain[start..<min(start + size, plain.count)]).withUnsafeBytes {
        try encoder.encode($0) { coded.append(contentsOf: $0) }
      }
    }
    try encoder.finish { coded.append(contentsOf: $0) }
    #expect(try decode(coded, [coding]) == plain)
  }

  @Test(arguments: ContentCoding.allCases) func nothingButTheEndIsAStream(coding: ContentCoding) throws {
    let encoder = try ContentEncoder(coding)
    var coded: [UInt8] = []
    try encoder.finish { coded.append(contentsOf: $0) }
    #expect(!coded.isEmpty)
    #expect(try decode(coded, [coding]) == [])
  }

  @Test func formatsAreThoseOfTheirNames() throws {
    #expect(try ContentEncoder.encode([1], as: .gzip).starts(with: [0x1f, 0x8b, 8]))
    let zlib = try ContentEncoder.encode(Array("Wikipedia".utf8), as: .deflate)
    #expect(zlib[0] == 0x78 && (Int(zlib[0]) << 8 | Int(zlib[1])).isMultiple(of: 31))
    // Adler-32 of the plain bytes, most significant byte first (RFC 1950 §2.2).
    #expect(zlib.suffix(4) == [0x11, 0xE6, 0x03, 0x98])
  }

  private static let hasPython = (try? Program("python3").run("-c", "import zlib, gzip"))?.status == 0

  /// Judged by what nobody here wrote.
  @Test(.enabled(if: hasPython, "there is no Python"), arguments: [ContentCoding.gzip, .deflate])
  func pythonDecodesIt(coding: ContentCoding) throws {
    let plain = (0..<40_000).map { "\($0 * $0 % 977)" }.joined(separator: " ")
    let coded = try ContentEncoder.encode(Array(plain.utf8), as: coding)
    let text = coded.map { byte in ["", "0"][byte < 16 ? 1 : 0] + String(byte, radix: 16) }.joined()
    let module = coding == .gzip ? "gzip" : "zlib"
    let outcome = try Program("python3").run(
      "-c",
      "import sys, gzip, zlib; sys.stdout.buffer.write(\(module).decompress(bytes.fromhex(sys.argv[1])))",
      text)
    #expect(outcome.status == 0)
    #expect(outcome.text == plain)
  }

  @Test(arguments: ContentCoding.allCases) func flushedBytesCanBeDecodedAtOnce(coding: ContentCoding) throws {
    let encoder = try ContentEncoder(coding)
    let decoder = try ContentDecoder(codings: [coding])
    for word in ["one ", "two ", "three"] {
      var coded: [UInt8] = []
      try Array(word.utf8).withUnsafeBytes { try encoder.encode($0) { coded.append(contentsOf: $0) } }
      try encoder.flush { coded.append(contentsOf: $0) }
      var plain: [UInt8] = []
      try coded.withUnsafeBytes { try decoder.decode($0) { plain.append(contentsOf: $0) } }
      #expect(plain == Array(word.utf8))
    }
    var end: [UInt8] = []
    try encoder.finish { end.append(contentsOf: $0) }
    try end.withUnsafeBytes { try decoder.decode($0) { _ in } }
    try decoder.finish()
  }
}
