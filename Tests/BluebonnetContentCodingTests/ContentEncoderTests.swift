import BluebonnetContentCoding
import Testing

@Suite struct ContentEncoderTests {
  @Test(arguments: [ContentCoding.gzip, .deflate], [0, 1, 6, 9])
  func whatIsEncodedDecodes(coding: ContentCoding, level: Int) throws {
    for count in [0, 1, 1000, 300_000] {
      let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let coded = try ContentEncoder.encode(plain, as: coding, level: level)
      #expect(try decode(coded, [coding]) == plain)
      if level > 0, count == 300_000 { #expect(coded.count < 10_000) }
    }
  }

  @Test func formatsAreThoseOfTheirNames() throws {
    #expect(try ContentEncoder.encode([1], as: .gzip).starts(with: [0x1f, 0x8b, 8]))
    #expect(try ContentEncoder.encode([1], as: .deflate).first == 0x78)
  }

  @Test func flushedBytesCanBeDecodedAtOnce() throws {
    let encoder = try ContentEncoder(.gzip)
    let decoder = try ContentDecoder(codings: [.gzip])
    for word in ["one ", "two ", "three"] {
      var coded: [UInt8] = []
      Array(word.utf8).withUnsafeBytes { encoder.encode($0) { coded.append(contentsOf: $0) } }
      encoder.flush { coded.append(contentsOf: $0) }
      var plain: [UInt8] = []
      try coded.withUnsafeBytes { try decoder.decode($0) { plain.append(contentsOf: $0) } }
      #expect(plain == Array(word.utf8))
    }
    var end: [UInt8] = []
    encoder.finish { end.append(contentsOf: $0) }
    try end.withUnsafeBytes { try decoder.decode($0) { _ in } }
    try decoder.finish()
  }

  @Test func thereIsNoBrotliEncoder() {
    #expect(throws: ContentCodingError.unsupported("br, for encoding")) { try ContentEncoder(.brotli) }
  }
}
