// SPDX-License-Identifier: MIT

/// Whether bytes that come piece by piece are UTF-8 (RFC 3629 §4), told as early as possible.
///
///     between characters ──lead byte──▶ inside (so many bytes to come) ──last byte──▶ between characters
struct TextCheck: Sendable, Equatable {
  /// Continuation bytes that are still to come.
  private var missing = 0
  /// The least value of the next byte: below 80..BF behind the leads that allow overlong forms, surrogates, or code points beyond
  /// U+10FFFF.
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// Whether a character is complete.
  var isBetweenCharacters: Bool { missing == 0 }

  /// - Returns: false if no more can make it UTF-8.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if missing == 0 {
        index = Self.firstBeyondASCII(in: bytes, from: index)
        if index == bytes.count { return true }
        guard begin(bytes[index]) else { return false }
      } else {
        guard (lowest...highest).contains(bytes[index]) else { return false }
        missing &-= 1
        (lowest, highest) = (0x80, 0xBF)
      }
      index &+= 1
    }
    return true
  }

  private mutating func begin(_ lead: UInt8) -> Bool {
    switch lead {
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, lowest) = (2, 0xA0)
    case 0xED: (missing, highest) = (2, 0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, lowest) = (3, 0x90)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, highest) = (3, 0x8F)
    default: return false
    }
    return true
  }

  /// Eight bytes at a time.
  private static func firstBeyondASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= bytes.count {
      let beyond =
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        & 0x8080_8080_8080_8080
      if beyond != 0 { return index &+ beyond.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index &+= 1 }
    return index
  }
}
