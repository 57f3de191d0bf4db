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
      let elapsed = facts.elapsed
      let request = "\(facts.method) \(RedactedURL(facts.url).short)"
      if let limit {
        guard elapsed < limit else {
          return fail(
            CommandError(
              .timedOut,
              "\(request) timed out after \(Decimals.fixed(limit * 1_000, 0)) milliseconds (--max-time) "
                + "with \(facts.received) bytes received"))
        }
        wait = min(interval, .seconds(limit - elapsed))
      }
      if let missed = missedSpeedLimit() {
        return fail(
          CommandError(
            .timedOut,
            "\(request) is too slow: fewer than \(missed.bytesPerSecond) bytes a second for \(missed.seconds) seconds"
          ))
      }
    }
  }

  private func missedSpeedLimit() -> LowSpeedLimit? {
    state.withLock { state in
      let isMissed = state.lowSpeed?.isMissed(with: state.facts.received + state.facts.sent) == true
      return isMissed ? state.lowSpeed : nil
    }
  }
}
