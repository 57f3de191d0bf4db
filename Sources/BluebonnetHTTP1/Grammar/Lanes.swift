// SPDX-License-Identifier: MIT

/// The whole-head reader's questions about many bytes at once: one bit of the answer for each byte, the first byte's lowest.
/// There is a plain and a vector form, which tests hold against each other.
protocol Lanes {
  /// The bytes of 64 at `bytes` that are not printable ASCII (`SP` to `~`).
  static func unusual(_ bytes: UnsafePointer<UInt8>) -> UInt64
  /// The colons in 16 bytes.
  static func colons(_ bytes: UnsafePointer<UInt8>) -> UInt32
  /// The letters, digits and dashes in 16 bytes: what nearly all names consist of.
  static func wordBytes(_ bytes: UnsafePointer<UInt8>) -> UInt32
  /// The places where 16 bytes, with bit 5 set, are those of `row`.
  static func equalFolded(_ bytes: UnsafePointer<UInt8>, _ row: UnsafePointer<UInt8>) -> UInt32
}

/// A byte after the other.
enum PlainLanes: Lanes {
  static func unusual(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    var bits: UInt64 = 0
    for index in 0..<64 where bytes[index] &- 0x20 > 0x5E { bits |= 1 &<< UInt64(index) }
    return bits
  }

  static func colons(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
    bits { bytes[$0] == Byte.colon }
  }

  static func wordBytes(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
    bits { Byte.isDigit(bytes[$0]) || (bytes[$0] | 0x20) &- 0x61 < 26 || bytes[$0] == 0x2D }
  }

  static func equalFolded(_ bytes: UnsafePointer<UInt8>, _ row: UnsafePointer<UInt8>) -> UInt32 {
    bits { bytes[$0] | 0x20 == row[$0] }
  }

  @inline(__always)
  private static func bits(_ isMember: (Int) -> Bool) -> UInt32 {
    var bits: UInt32 = 0
    for index in 0..<16 where isMember(index) { bits |= 1 &<< UInt32(index) }
    return bits
  }
}
