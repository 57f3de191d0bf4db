// SPDX-License-Identifier: MIT

/// An instant on the system's monotonic clock.
package struct MonotonicTime: Comparable, Hashable, Sendable {
  /// Nanoseconds since an arbitrary start, usually the boot.
  package var nanoseconds: UInt64

  package init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  /// The clock's reading at this moment.
  package static func now() -> MonotonicTime {
    MonotonicTime(nanoseconds: Syscall.monotonicNanoseconds())
  }

  /// Later than every instant that the clock can show.
  package static var distantFuture: MonotonicTime { MonotonicTime(nanoseconds: .max) }

  /// This instant moved by `duration`, saturating at both ends of the clock.
  package func adding(_ duration: Duration) -> MonotonicTime {
    let (seconds, attoseconds) = duration.components
    guard seconds < 9_000_000_000 else { return .distantFuture }
    guard seconds > -9_000_000_000 else { return MonotonicTime(nanoseconds: 0) }
    return adding(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// This instant moved by `delta` nanoseconds, saturating at both ends of the clock.
  package func adding(nanoseconds delta: Int64) -> MonotonicTime {
    let (sum, overflow) =
      delta < 0
      ? nanoseconds.subtractingReportingOverflow(delta.magnitude)
      : nanoseconds.addingReportingOverflow(delta.magnitude)
    if overflow { return delta < 0 ? MonotonicTime(nanoseconds: 0) : .distantFuture }
    return MonotonicTime(nanoseconds: sum)
  }

  /// The time from `earlier` to this instant; negative if it is before.
  package func since(_ earlier: MonotonicTime) -> Duration {
    self >= earlier
      ? .nanoseconds(Int64(clamping: nanoseconds - earlier.nanoseconds))
      : .nanoseconds(-Int64(clamping: earlier.nanoseconds - nanoseconds))
  }

  package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
