// SPDX-License-Identifier: MIT

/// A checksum with 64 bits, eight bytes at a time: against damage, not against forgery, as ``Checksum``, but at the speed of memory.
///
/// Each step is a bijection of the state, so a change within any one group of eight bytes is always found; any other goes unnoticed
/// once in 2^64 times.
package enum BlockChecksum {
  /// - Parameters:
  ///   - bytes: The bytes to be verified later.
  ///   - seed: Their kind and place, so that they are not taken for others.
  package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var state = step(0x6262_6361_6368_6531, seed)
    var position = 0
    while bytes.count - position >= 8 {
      state = step(
        state, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      position += 8
    }
    var rest: UInt64 = 0
    while position < bytes.count {
      rest = rest << 8 | UInt64(bytes[position])
      position += 1
    }
    return step(step(state, rest), UInt64(bytes.count))
  }

  package static func of(_ bytes: some Collection<UInt8>, seed: UInt64) -> UInt64 {
    if let sum = bytes.withContiguousStorageIfAvailable({ of(UnsafeRawBufferPointer($0), seed: seed) }) {
      return sum
    }
    return Array(bytes).withUnsafeBytes { of($0, seed: seed) }
  }

  @inline(__always)
  private static func step(_ state: UInt64, _ word: UInt64) -> UInt64 {
    // An odd factor and a shift to the right can both be undone; the shift brings the high bits down, which the factor does not.
    let product = (state ^ word) &* 0x9FB2_1C65_1E98_DF25
    return product ^ (product >> 32)
  }
}
