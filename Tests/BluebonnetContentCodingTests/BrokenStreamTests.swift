// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import BluebonnetTestSupport
import Testing

@Suite struct BrokenStreamTests {
  static let streams: [(ContentCoding, [UInt8])] = [
    (.gzip, Samples.gzipWords), (.deflate, Samples.zlibWords), (.deflate, Samples.rawWords),
    (.brotli, Samples.brotliWords), (.brotli, Samples.brotliLines),
  ]

  @Test(arguments: streams)
  func everyTruncationIsAnError(coding: ContentCoding, stream: [UInt8]) {
    for count in 1..<stream.count {
      #expect(failure(Array(stream[..<count]), [coding]).error == .truncated(coding), "\(count) bytes")
    }
  }

  @Test func aSecondMemberMustBeCompleteAndCorrect() {
    let gzip = Samples.gzipWords
    for count in 2..<gzip.count {
      #expect(failure(gzip + gzip[..<count], [.gzip]).error == .truncated(.gzip), "\(count) bytes")
    }
    var broken = gzip
    broken[gzip.count - 1] ^= 1
    #expect(failure(gzip + broken, [.gzip]).error == .corrupt(.gzip))
  }

  @Test(arguments: [
    (ContentCoding.gzip, Samples.gzipWords), (.deflate, Samples.zlibWords),
  ])
  func aWrongChecksumIsAnError(coding: ContentCoding, stream: [UInt8]) {
    // The last four bytes are Adler-32 in zlib and the length in gzip, which has CRC-32 before it.
    for offset in 1...(coding == .gzip ? 8 : 4) {
      var broken = stream
      broken[stream.count - offset] ^= 0x40
      #expect(failure(broken, [coding]).error == .corrupt(coding), "\(offset) from the end")
    }
  }

  @Test(arguments: [ContentCoding.gzip, .deflate, .brotli], ["plain text, not coded", "<!doctype html>"])
  func plainTextIsAnError(coding: ContentCoding, text: String) {
    #expect(failure(Array(text.utf8), [coding]).error != nil)
  }

  @Test func theInnerStreamOfAStackMustBeCompleteToo() throws {
    let cut = try ContentEncoder.encode(Array(Samples.zlibWords.dropLast()), as: .gzip)
    #expect(failure(cut, [.deflate, .gzip]).error == .truncated(.deflate))
  }

  @Test func anErrorIsRepeated() throws {
    let decoder = try ContentDecoder(codings: [.gzip])
    let expected = ContentCodingError.corrupt(.gzip)
    for bytes in [Array("nonsense".utf8), Samples.gzipWords] {
      let error = #expect(throws: ContentCodingError.self) {
        try bytes.withUnsafeBytes { try decoder.decode($0) { _ in } }
      }
      #expect(error == expected)
    }
    #expect(throws: expected) { try decoder.finish() }
  }

  @Test func aPresetDictionaryIsAnError() {
    // The header's FDICT bit (RFC 1950 §2.2); nobody could have agreed on a dictionary.
    #expect(failure([0x78, 0x20, 0, 0, 0, 1, 3, 0], [.deflate]).error == .corrupt(.deflate))
  }

  /// Any bytes decode or yield an error: never a crash, a hang or output beyond the limit.
  @Test(arguments: ContentCoding.allCases)
  func mutatedStreamsNeverDoWorse(coding: ContentCoding) throws {
    let seeds = Self.streams.filter { $0.0 == coding }.map(\.1)
    var random = SeededGenerator(seed: 0x5eed)
    let limit = DecompressionLimit(bytes: 1 << 20)
    for round in 0..<3000 {
      var stream = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        stream[Int.random(in: stream.indices, using: &random)] = UInt8.random(
          in: .min ... .max, using: &random)
      }
      #expect(failure(stream, [coding], limit: limit).output <= 1 << 20)
    }
  }
}
