// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// The limit on refreshes.
struct RefreshAllowance {
  let interval: TimeInterval
  let maximumAttempts: Int
  private var starts: [TimeInterval] = []

  init(interval: TimeInterval, maximumAttempts: Int) {
    self.interval = interval
    self.maximumAttempts = maximumAttempts
  }

  /// Whether a refresh may start `now`, in seconds of a clock that never goes back.
  mutating func start(at now: TimeInterval) -> Bool {
    starts.removeAll { now - $0 > interval }
    guard starts.count < maximumAttempts else { return false }
    starts.append(now)
    return true
  }
}
