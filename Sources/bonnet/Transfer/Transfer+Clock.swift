// SPDX-License-Identifier: MIT
import Bluebonnet

extension Transfer {
  /// The part of a transfer that depends on time alone: limits, and progress.
  func watchClock() async {
    let limit = plan.operation.connection.timeLimit
    let interval: Duration = .milliseconds(100)
    var wait = limit.map { min(interval, .seconds($0)) } ?? interval
    while !Task.isCancelled {
      try? await Task.sleep(for: wait)
      guard !Task.isCancelled else { return }
      let facts = facts
      context.meter.update(plan.number, facts.progress)
      if let limit {
        let elapsed = facts.elapsed
        guard elapsed < limit else {
          let time = Decimals.fixed(limit * 1_000, 0)
          return failTimedOut(
            "timed out after \(time) milliseconds (--max-time) with \(facts.received) bytes received")
        }
        wait = min(interval, .seconds(limit - elapsed))
      }
      if let missed = missedSpeedLimit() {
        return failTimedOut(
          "is too slow: fewer than \(missed.bytesPerSecond) bytes a second for \(missed.seconds) seconds")
      }
    }
  }

  private func failTimedOut(_ reason: String) {
    let facts = facts
    fail(CommandError(.timedOut, "\(facts.method) \(RedactedURL(facts.url).short) \(reason)"))
  }

  private func missedSpeedLimit() -> LowSpeedLimit? {
    state.withLock { state in
      let isMissed = state.lowSpeed?.isMissed(with: state.facts.received + state.facts.sent) == true
      return isMissed ? state.lowSpeed : nil
    }
  }
}
