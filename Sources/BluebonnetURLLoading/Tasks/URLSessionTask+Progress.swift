// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionTask {
  /// The progress of the load, in hundredths; made when first asked for. Works.
  ///
  /// A body to be sent is the first half of the way and the response the second; without one the response is all of
  /// it. A body of unknown length counts when it is complete. Cancelling the progress cancels the task.
  public var progress: Progress {
    let (progress, isNew) = members.withLock { members -> (Progress, Bool) in
      if let made = members.rareState?.progress { return (made, false) }
      let progress = Progress(totalUnitCount: Self.progressUnits)
      members.ownRareState.progress = progress
      hasProgress.store(true, ordering: .relaxed)
      return (progress, true)
    }
    if isNew {
      progress.cancellationHandler = { [weak self] in self?.cancel() }
      #if Foundation
        progress.pausingHandler = { [weak self] in self?.suspend() }
        progress.resumingHandler = { [weak self] in self?.resume() }
      #endif
      report(to: progress)
    }
    return progress
  }

  private static var progressUnits: Int64 { 100 }

  /// Brings a progress up to date; never back.
  func report(to progress: Progress) {
    let (hasEnded, hasResponse) = members.withLock {
      ($0.state == .completed && $0.error == nil, $0.response != nil)
    }
    let counts = byteCounts
    let way =
      hasEnded ? Self.progressUnits : counts.way(of: Self.progressUnits, hasResponse: hasResponse)
    if way > progress.completedUnitCount { progress.completedUnitCount = way }
  }
}

extension URLSessionTask.ByteCounts {
  /// The part of the way that is done; the last unit is kept for the end.
  fileprivate func way(of units: Int64, hasResponse: Bool) -> Int64 {
    let sends = expectedToSend > 0
    let (first, second) = sends ? (units / 2, units - units / 2) : (0, units)
    let behind = hasResponse ? first : Self.part(of: first, sent, expectedToSend)
    return min(behind + Self.part(of: second, received, expectedToReceive), units - 1)
  }

  private static func part(of units: Int64, _ done: Int64, _ expected: Int64) -> Int64 {
    guard expected > 0 else { return 0 }
    return Int64(Double(min(done, expected)) / Double(expected) * Double(units))
  }
}
