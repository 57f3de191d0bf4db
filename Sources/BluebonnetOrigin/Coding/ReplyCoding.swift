import BluebonnetContentCoding
import CBluebonnetBrotliEncoder

/// The content codings that the origin can reply in.
enum ReplyCoding: String {
  case gzip
  case deflate
  case brotli = "br"

  /// `content` in this coding, or nil if the encoder refuses.
  func encode(_ content: [UInt8]) -> [UInt8]? {
    switch self {
    case .gzip, .deflate: nil
    case .brotli: Self.brotli(content)
    }
  }

  private static func brotli(_ content: [UInt8]) -> [UInt8]? {
    var size = BrotliEncoderMaxCompressedSize(content.count)
    var encoded = [UInt8](repeating: 0, count: size)
    guard
      BrotliEncoderCompress(
        5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, content.count, content, &size, &encoded) == BROTLI_TRUE
    else { return nil }
    return Array(encoded.prefix(size))
  }
}
