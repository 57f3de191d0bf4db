// SPDX-License-Identifier: MIT

// Numbers as files and protocols have them: the most significant byte first.
extension FixedWidthInteger {
  /// The bytes of the number.
  @inlinable package var bigEndianBytes: [UInt8] {
    stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }

  /// The number of these bytes. Of too many, the last ones count.
  @inlinable package init(bigEndianBytes bytes: some Sequence<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }
}
