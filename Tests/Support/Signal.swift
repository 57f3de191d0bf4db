// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// Lets one thread wait for another, with a limit, so that a lost wake-up is a failure and not a hang.
public final class Signal: Sendable {
  private let count = Atomic<Int>(0)

  /// Nothing has been raised yet.
  public init() {}

  /// Counts one more.
  public func raise() {
    count.add(1, ordering: .releasing)
  }

  /// Blocks the calling thread. False if `target` calls to ``raise()`` have not come in time.
  public func wait(for target: Int = 1, seconds: Int = Eventually.limit) -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
    while count.load(ordering: .acquiring) < target {
      if ContinuousClock.now > deadline { return false }
      usleep(50)
    }
    return true
  }
}
