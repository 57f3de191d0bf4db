// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import Glibc
import Testing

@Suite struct ContentDecoderTests {
  /// A coded body and what it decodes to.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let coded: [UInt8]
    let codings: [ContentCoding]
    let plain: [UInt8]

    init(_ name: String, _ coded: [UInt8], _ codings: [ContentCoding], _ plain: [UInt8]) {
      testDescription = name
      self.coded = coded
      self.codings = codings
      self.plain = plain
    }
  }

  static let small: [Row] = [
    Row("gzip", Samples.gzipWords, [.gzip], Samples.words),
    Row("gzip, two members", Samples.gzipWords + Samples.gzipWords, [.gzip], Samples.words + Samples.words),
    Row(
      "gzip, an empty member between", Samples.gzipWords + own([], .gzip) + Samples.gzipWords, [.gzip],
      Samples.words + Samples.words),
    Row("gzip of nothing", own([], .gzip), [.gzip], []),
    Row("gzip and zeros", Samples.gzipWords + [0, 0, 0, 0], [.gzip], Samples.words),
    Row("gzip and other bytes", Samples.gzipWords + Array("garbage".utf8), [.gzip], Samples.words),
    Row("gzip and half a signature", Samples.gzipWords + [0x1f], [.gzip], Samples.words),
    Row("gzip and almost a signature", Samples.gzipWords + [0x1f, 0x8c, 1, 2], [.gzip], Samples.words),
    Row("zlib", Samples.zlibWords, [.deflate], Samples.words),
    Row("zlib of nothing", own([], .deflate), [.deflate], []),
    Row("zlib and other bytes", Samples.zlibWords + [1, 2, 3], [.deflate], Samples.words),
    Row("raw deflate", Samples.rawWords, [.deflate], Samples.words),
    Row("raw deflate of nothing", [3, 0], [.deflate], []),
    Row("brotli", Samples.brotliWords, [.brotli], Samples.words),
    Row("brotli of nothing", Samples.brotliEmpty, [.brotli], []),
    Row("brotli and other bytes", Samples.brotliWords + [1, 2, 3], [.brotli], Samples.words),
    Row("zlib, then gzip", own(Samples.zlibWords, .gzip), [.deflate, .gzip], Samples.words),
    Row("brotli, then gzip", own(Samples.brotliWords, .gzip), [.brotli, .gzip], Samples.words),
    Row(
      "gzip five times", (0..<4).reduce(Samples.gzipWords) { coded, _ in own(coded, .gzip) },
      Array(repeating: .gzip, count: 5), Samples.words),
    Row("no coding", Samples.words, [], Samples.words),
  ]

  static func own(_ bytes: [UInt8], _ coding: ContentCoding) -> [UInt8] {
    (try? ContentEncoder.encode(bytes, as: coding)) ?? []
  }

  @Test(arguments: small)
  func decodesWholeAndCutAnywhere(row: Row) throws {
    #expect(try decode(row.coded, row.codings) == row.plain)
    for cut in 0...row.coded.count {
      #expect(try decode(row.coded, row.codings, cuts: [cut]) == row.plain, "cut at \(cut)")
    }
    #expect(try decode(row.coded, row.codings, cuts: Array(0..<row.coded.count)) == row.plain)
  }

  /// Whoever wants no more for now gets no more, and later the rest.
  @Test(arguments: small)
  func stopsBehindEveryPiece(row: Row) throws {
    for cut in 0...row.coded.count {
      #expect(
        try decodeHaltingly(row.coded, row.codings, cuts: [cut]).plain == row.plain, "cut at \(cut)")
    }
    #expect(
      try decodeHaltingly(row.coded, row.codings, cuts: Array(0..<row.coded.count)).plain == row.plain)
  }

  /// Little comes in and much goes out: in pieces, and none before it is wanted.
  @Test(arguments: [
    ([ContentCoding.gzip], 3), ([.deflate], 3), ([.brotli], 40), ([.brotli, .gzip], 40),
    ([.gzip, .deflate], 3),
  ])
  func anExpansionStopsBehindEveryPiece(codings: [ContentCoding], megabytes: Int) throws {
    let count = megabytes << 20
    var coded = codings[0] == .brotli ? Samples.brotliBomb : [UInt8](repeating: 0, count: count)
    for coding in codings where coding != .brotli { coded = Self.own(coded, coding) }
    for cuts in [[], [coded.count / 2], Array(0..<coded.count)] as [[Int]] {
      let decoded = try decodeHaltingly(coded, codings, cuts: cuts)
      #expect(decoded.plain.count == count)
      let isAllZero = decoded.plain.withUnsafeBytes { zeros in
        [UInt8](repeating: 0, count: count).withUnsafeBytes {
          memcmp($0.baseAddress!, zeros.baseAddress!, count) == 0
        }
      }
      #expect(isAllZero)
      #expect(decoded.largest <= ContentDecoder.largestPiece)
      #expect(decoded.stops >= count / ContentDecoder.largestPiece)
    }
  }

  @Test func aLimitHoldsBehindStops() throws {
    let limit = DecompressionLimit(bytes: 1 << 20)
    for bytes in [Samples.brotliBomb, Self.own([UInt8](repeating: 0, count: 2 << 20), .gzip)] {
      let coding: ContentCoding = bytes == Samples.brotliBomb ? .brotli : .gzip
      let error = #expect(throws: ContentCodingError.self) {
        _ = try decodeHaltingly(bytes, [coding], limit: limit)
      }
      guard case .bomb(let expansion) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(expansion.output <= 1 << 20 + ContentDecoder.largestPiece)
    }
  }

  @Test func decodesAtAnyTwoCuts() throws {
    for row in Self.small where row.coded.count < 80 {
      for first in 0...row.coded.count {
        for second in first...row.coded.count {
          let plain = try decode(row.coded, row.codings, cuts: [first, second])
          if plain != row.plain { Issue.record("\(row.testDescription) at \(first), \(second)") }
        }
      }
    }
  }

  @Test(arguments: [ContentCoding.gzip, .deflate])
  func aLargeBodyComesOutInBoundedPieces(coding: ContentCoding) throws {
    let plain = (0..<2_000_000).map { UInt8(truncatingIfNeeded: ($0 &* $0) >> 7) }
    let coded = try ContentEncoder.encode(plain, as: coding)
    let decoder = try ContentDecoder(codings: [coding])
    var result: [UInt8] = []
    var largest = 0
    try coded.withUnsafeBytes {
      try decoder.decode($0) {
        result.append(contentsOf: $0)
        largest = max(largest, $0.count)
      }
    }
    try decoder.finish()
    #expect(result == plain)
    #expect(largest <= 64 * 1024)
  }

  @Test func brotliOfManyLines() throws {
    #expect(try decode(Samples.brotliLines, [.brotli]) == Samples.lines)
    #expect(
      try decode(Samples.brotliLines, [.brotli], cuts: Array(0..<Samples.brotliLines.count)) == Samples.lines)
  }

  @Test(arguments: ContentCoding.allCases)
  func aBodyWithoutAnyByteIsEmpty(coding: ContentCoding) throws {
    #expect(try decode([], [coding]).isEmpty)
    #expect(try decode([], [coding, coding]).isEmpty)
  }

  @Test func moreCodingsThanAnybodyNeedsAreRefused() {
    let result = failure([], Array(repeating: .gzip, count: 6))
    #expect(result.error == .tooManyCodings(6))
  }
}
