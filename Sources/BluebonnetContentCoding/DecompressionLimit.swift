// SPDX-License-Identifier: MIT

/// The limit on a body's expansion: the guard against decompression bombs.
///
/// Nothing is accumulated while decoding, so a bomb can only hurt the receiver of the bytes: its memory, if it keeps
/// all of them there.
package struct DecompressionLimit: Sendable, Hashable {
  /// Bytes that may come out at most; `nil` for any number.
  package var bytes: Int?
  /// Bytes that may come out for each byte that went in, once `ratioThreshold` is exceeded; `nil` for any number.
  package var ratio: Int?
  /// Up to so many bytes any ratio is fine: bodies that repeat themselves exist and do no harm until they are large.
  package var ratioThreshold: Int
  /// The name of the users' setting, for the error's text.
  package var setting: String?

  package init(bytes: Int? = nil, ratio: Int? = nil, ratioThreshold: Int = 0, setting: String? = nil) {
    self.bytes = bytes
    self.ratio = ratio
    self.ratioThreshold = ratioThreshold
    self.setting = setting
  }

  /// For a body kept in memory: 100:1 beyond 256 MiB.
  ///
  /// Text compresses 3:1 to 20:1, logs that repeat themselves 150:1 and more. Deflate ends at 1032:1, brotli has no
  /// practical end. So every honest body passes if it fits into memory at all, and a bomb of a few kilobytes ends at
  /// 256 MiB. SwiftNIO and Netty leave the choice to the caller; curl, browsers and Go have no limit.
  package static let inMemory = DecompressionLimit(ratio: 100, ratioThreshold: 256 << 20)
  package static let none = DecompressionLimit()

  package func allows(_ output: Int, from input: Int) -> Bool {
    if let bytes, output > bytes { return false }
    guard let ratio, output > ratioThreshold else { return true }
    return output / max(ratio, 1) <= input
  }
}

extension DecompressionLimit: CustomStringConvertible {
  package var description: String {
    let absolute = bytes.map { "\($0) bytes" }
    let relative = ratio.map { "\($0):1 beyond \(ratioThreshold) bytes" }
    let parts = [absolute, relative].compactMap(\.self)
    return parts.isEmpty ? "any size" : parts.joined(separator: " or ")
  }
}
