// SPDX-License-Identifier: MIT

/// The same numbers in every run (SplitMix64), so that a failure can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Equal seeds give equal numbers.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Noise: eight bytes of each number, so that megabytes of it cost nothing much without the optimiser, too.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      var place = 0
      while count - place >= 8 {
        bytes.storeBytes(of: next(), toByteOffset: place, as: UInt64.self)
        place += 8
      }
      var number = place < count ? next() : 0
      for place in place..<count {
        bytes[place] = UInt8(truncatingIfNeeded: number)
        number >>= 8
      }
      initialized = count
    }
  }
}
