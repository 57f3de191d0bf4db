// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// Waits for what another thread or process is about to make true.
public enum Eventually {
  /// How long tests wait at most, in seconds: on a busy, instrumented build, a minute is not long.
  public static let limit = 300

  /// Looks every few milliseconds, for as long as tests wait. Then the expectation has failed.
  public static func expect(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: @Sendable () -> Bool
  ) async {
    let end = ContinuousClock.now + .seconds(limit)
    while ContinuousClock.now < end {
      if condition() { return }
      try? await Task.sleep(for: .milliseconds(5))
    }
    #expect(condition(), what, sourceLocation: sourceLocation)
  }

  /// The same for a thread that may block, and without a task's sleep, for which Dispatch takes a descriptor.
  ///
  /// - Returns: whether it has come true.
  public static func block(until condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(limit)
    while try !condition() {
      if ContinuousClock.now > end { return false }
      usleep(500)
    }
    return true
  }
}
