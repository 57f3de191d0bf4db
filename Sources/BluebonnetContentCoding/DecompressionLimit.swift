/// How far a body may expand: the guard against decompression bombs.
///
/// Nothing is accumulated while decoding, so a bomb can only hurt what the bytes are given to: memory, if it
/// is a `Data`, or a disk. It is noticed after the floor.
package struct DecompressionLimit: Sendable, Hashable {
  /// Bytes that may come out at most; `nil` for any number.
  package var bytes: Int?
  /// Bytes that may come out for each byte that went in, once `ratioFloor` is exceeded; `nil` for any number.
  package var ratio: Int?
  /// Up to so many bytes any ratio is fine: small bodies of one repeated byte exist and do no harm.
  package var ratioFloor: Int

  package init(bytes: Int? = nil, ratio: Int? = nil, ratioFloor: Int = 0) {
    self.bytes = bytes
    self.ratio = ratio
    self.ratioFloor = ratioFloor
  }

  /// No absolute bound, since downloads of any size are legitimate; 100:1 beyond 32 MiB.
  ///
  /// Text compresses 3:1 to 20:1. Deflate ends at 1032:1, brotli has no practical end. SwiftNIO and Netty leave
  /// the choice to the caller, curl, browsers and Go have no limit.
  package static let `default` = DecompressionLimit(ratio: 100, ratioFloor: 32 << 20)
  package static let none = DecompressionLimit()

  func allows(_ output: Int, from input: Int) -> Bool {
    if let bytes, output > bytes { return false }
    guard let ratio, output > ratioFloor else { return true }
    return output / max(ratio, 1) <= input
  }
}

extension DecompressionLimit: CustomStringConvertible {
  package var description: String {
    let absolute = bytes.map { "\($0) bytes" }
    let relative = ratio.map { "\($0):1 after \(ratioFloor) bytes" }
    let parts = [absolute, relative].compactMap(\.self)
    return parts.isEmpty ? "any size" : parts.joined(separator: " or ")
  }
}
