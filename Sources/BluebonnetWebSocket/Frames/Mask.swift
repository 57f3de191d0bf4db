// SPDX-License-Identifier: MIT

/// The masking of a client's payload (RFC 6455 §5.3): byte for byte with the key, over and over.
struct Mask: Sendable, Equatable {
  /// The key as it lies in memory, turned so that its first byte is for the next byte of payload.
  private(set) var key: UInt32

  init(_ key: UInt32) { self.key = key }

  /// Masks, or unmasks, the next bytes of a payload where they are; they may come in pieces.
  mutating func apply(to bytes: UnsafeMutableRawBufferPointer) {
    let wide = UInt64(key) << 32 | UInt64(key)
    var index = 0
    // The key is the same after eight bytes as before them, in either order of bytes.
    while index &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      bytes.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < bytes.count {
      bytes[index] ^= first
      turn()
      index &+= 1
    }
  }

  /// The byte that lies first in memory.
  private var first: UInt8 { UInt8(truncatingIfNeeded: UInt32(littleEndian: key)) }

  private mutating func turn() {
    let value = UInt32(littleEndian: key)
    key = (value >> 8 | value << 24).littleEndian
  }
}
