import BluebonnetContentCoding
import CBluebonnetBrotliEncoder

extension ContentCoding {
  /// `content` in this coding, or nil if the encoder refuses.
  func encoded(_ content: [UInt8]) -> [UInt8]? {
    switch self {
    case .gzip, .deflate: try? ContentEncoder.encode(content, as: self)
    case .brotli: Self.brotliEncoded(content)
    }
  }

  private static func brotliEncoded(_ content: [UInt8]) -> [UInt8]? {
    var size = BrotliEncoderMaxCompressedSize(content.count)
    var encoded = [UInt8](repeating: 0, count: size)
    let isEncoded = BrotliEncoderCompress(
      5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, content.count, content, &size, &encoded)
    return isEncoded == BROTLI_TRUE ? Array(encoded.prefix(size)) : nil
  }
}
