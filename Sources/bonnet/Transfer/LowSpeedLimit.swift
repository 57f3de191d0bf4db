// SPDX-License-Identifier: MIT

/// The limit of `-Y` and `-y`: at least so many bytes a second, or it is too slow after a while.
struct LowSpeedLimit: Sendable {
  let bytesPerSecond: Int
  let seconds: Int
  /// The beginning of the present stretch, and the bytes by then.
  private var stretch: (start: ContinuousClock.Instant, bytes: Int)?

  /// Nil if there is no limit.
  init?(_ options: OutputOptions) {
    guard let limit = options.speedLimit, let time = options.speedTime, limit > 0, time > 0 else {
      return nil
    }
    (bytesPerSecond, seconds) = (limit, time)
  }

  /// Whether a transfer is too slow.
  ///
  /// - Parameter bytes: All that were sent and received by now.
  mutating func isMissed(with bytes: Int, at now: ContinuousClock.Instant = .now) -> Bool {
    guard let stretch else {
      self.stretch = (now, bytes)
      return false
    }
    let elapsed = (now - stretch.start) / .seconds(1)
    // A transfer that is fast enough for a while begins anew.
    if elapsed >= 1, Double(bytes - stretch.bytes) >= Double(bytesPerSecond) * elapsed {
      self.stretch = (now, bytes)
      return false
    }
    return elapsed >= Double(seconds)
  }
}
