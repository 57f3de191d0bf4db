// SPDX-License-Identifier: MIT

/// Until when the loop's thread sleeps at most.
///
/// Waking it to shorten its sleep costs a system call and two context switches. Most timers are time-outs that are
/// cancelled long before they are due, and the next request brings one that is due a little later. So the thread
/// goes on sleeping towards the earliest deadline it ever slept towards, though the timer behind it may be gone,
/// until that moment has passed: one needless wake-up per time-out's length instead of one per request.
struct ParkDeadline {
  private(set) var deadline: MonotonicTime = .distantFuture

  /// Called before each sleep with the first pending timer's deadline.
  mutating func update(earliest: MonotonicTime?, now: MonotonicTime) {
    if deadline <= now { deadline = .distantFuture }
    if let earliest, earliest < deadline { deadline = earliest }
  }

  /// A timer was scheduled while the thread sleeps. True if it has to be woken to sleep less.
  mutating func shorten(to earliest: MonotonicTime?) -> Bool {
    guard let earliest, earliest < deadline else { return false }
    deadline = earliest
    return true
  }

  /// The sleep in whole milliseconds, rounded up, so that the timer is due on waking; -1 for no limit.
  func milliseconds(from now: MonotonicTime) -> Int32 {
    guard deadline != .distantFuture else { return -1 }
    guard deadline > now else { return 0 }
    let (whole, rest) = (deadline.nanoseconds - now.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000)
    return Int32(clamping: whole + (rest == 0 ? 0 : 1))
  }
}
