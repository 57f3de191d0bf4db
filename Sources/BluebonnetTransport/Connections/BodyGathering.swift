// SPDX-License-Identifier: MIT

/// Puts the pieces of a body that lie in one buffer side by side, so that they are delivered together.
///
/// Chunks are small where a server writes as it computes: to deliver each by itself would cost many times what it takes
/// to move its bytes. They are moved down in the buffer they came in, over the chunk sizes between them. A piece that is
/// large enough to be delivered by itself is lent where it lies.
struct BodyGathering {
  /// The largest piece that is moved: 16 KiB take about a microsecond, less than a delivery does.
  static let largestMoved = 16 * 1024

  /// The bytes of the buffer that are to be delivered.
  private(set) var range = 0..<0

  /// Adds the piece at `piece`, behind all that were added before.
  ///
  /// - Returns: false if the gathered bytes must be delivered first.
  mutating func add(_ piece: Range<Int>, in buffer: UnsafeMutableRawBufferPointer) -> Bool {
    if range.isEmpty {
      range = piece
    } else if piece.lowerBound == range.upperBound {
      range = range.lowerBound..<piece.upperBound
    } else {
      guard piece.count <= Self.largestMoved else { return false }
      let end = range.upperBound + piece.count
      UnsafeMutableRawBufferPointer(rebasing: buffer[range.upperBound..<end])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[piece]))
      range = range.lowerBound..<end
    }
    return true
  }

  /// Hands over the gathered bytes.
  mutating func take() -> Range<Int> {
    defer { range = 0..<0 }
    return range
  }
}
