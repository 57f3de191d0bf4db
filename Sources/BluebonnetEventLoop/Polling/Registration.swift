// SPDX-License-Identifier: MIT

/// Names one descriptor's stay in the poller. The kernel reuses descriptor numbers at once, so the number is
/// accompanied by a generation, and an event or a request that carries an old one is recognised.
package struct Registration: Hashable, Sendable {
  package let descriptor: Int32
  let generation: UInt32

  init(descriptor: Int32, generation: UInt32) {
    self.descriptor = descriptor
    self.generation = generation
  }

  init(userData: UInt64) {
    descriptor = Int32(truncatingIfNeeded: userData)
    generation = UInt32(truncatingIfNeeded: userData >> 32)
  }

  /// The form in which the kernel hands the registration back with each event.
  var userData: UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }
}
