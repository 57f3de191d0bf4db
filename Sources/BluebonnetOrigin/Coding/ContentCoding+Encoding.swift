import BluebonnetContentCoding
import BluebonnetContentEncoding

extension ContentCoding {
  /// `content` in this coding, or nil if there is no memory for it.
  func encoded(_ content: [UInt8]) -> [UInt8]? {
    try? ContentEncoder.encode(content, as: self)
  }
}
