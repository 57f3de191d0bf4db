// SPDX-License-Identifier: MIT
import BluebonnetContentCoding

/// Applies a content coding to a body as it goes out.
package final class ContentEncoder {
  private let stage: any StageEncoder

  /// - Parameters:
  ///   - coding: `deflate` writes the zlib format (RFC 9110 §8.4.1.2).
  ///   - level: How hard it tries: 0 (stored) to 9 for gzip and deflate, zlib's compromise, 6, by default; 0 to 11 for
  ///     brotli, 5 by default, which takes about as long. What lies beyond counts as the nearest.
  package init(_ coding: ContentCoding, level: Int? = nil) throws(ContentCodingError) {
    stage =
      switch coding {
      case .gzip: try DeflateStream(windowBits: 15 + 16, level: level ?? 6)
      case .deflate: try DeflateStream(windowBits: 15, level: level ?? 6)
      case .brotli: try BrotliStream(quality: level ?? 5)
      }
  }

  /// Encodes the next part of the body; `sink` gets the bytes that are ready.
  package func encode(
    _ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Void
  ) throws(ContentCodingError) {
    try stage.run(input, .proceed, sink)
  }

  /// Makes everything encoded so far decodable, at the cost of some compression: for streams that pause.
  package func flush(_ sink: (UnsafeRawBufferPointer) -> Void) throws(ContentCodingError) {
    try stage.run(UnsafeRawBufferPointer(start: nil, count: 0), .flush, sink)
  }

  /// Completes the stream. Nothing may be encoded after it.
  package func finish(_ sink: (UnsafeRawBufferPointer) -> Void) throws(ContentCodingError) {
    try stage.run(UnsafeRawBufferPointer(start: nil, count: 0), .finish, sink)
  }

  /// A whole body at once.
  package static func encode(
    _ bytes: [UInt8], as coding: ContentCoding, level: Int? = nil
  ) throws(ContentCodingError) -> [UInt8] {
    let encoder = try ContentEncoder(coding, level: level)
    var result: [UInt8] = []
    try bytes.span.withUnsafeBytes { (input) throws(ContentCodingError) in
      try encoder.encode(input) { result.append(contentsOf: $0) }
    }
    try encoder.finish { result.append(contentsOf: $0) }
    return result
  }
}
