// SPDX-License-Identifier: MIT

/// A new masking key for each frame, unpredictable if the source is a good one (RFC 6455 §5.3).
struct MaskKeys: Sendable {
  private var source: any RandomNumberGenerator & Sendable
  /// Half of the last number.
  private var spare: UInt32?

  init(_ source: any RandomNumberGenerator & Sendable) { self.source = source }

  mutating func next() -> UInt32 {
    if let spare = spare.take() { return spare }
    let number = source.next()
    spare = UInt32(truncatingIfNeeded: number >> 32)
    return UInt32(truncatingIfNeeded: number)
  }
}
