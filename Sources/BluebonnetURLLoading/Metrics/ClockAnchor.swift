// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// One moment read from both clocks: measurements are kept as monotonic instants, and become dates when asked for.
package struct ClockAnchor: Sendable {
  /// Seconds since 1970 by the wall clock.
  package let wall: Double
  /// Nanoseconds of the monotonic clock at the same moment.
  package let monotonic: UInt64

  package init(wall: Double, monotonic: UInt64) {
    self.wall = wall
    self.monotonic = monotonic
  }

  package func date(at instant: UInt64) -> Date {
    let offset = Double(Int64(bitPattern: instant &- monotonic)) / 1e9
    return Date(timeIntervalSince1970: wall + offset)
  }
}
