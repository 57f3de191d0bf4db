// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

/// Counts the reports of a request that are on their way on one queue, so that calls that must not overtake them can wait.
final class ProgressBarrier: Sendable {
  private struct State {
    var underway = 0
    var isOpening = false
    var waiting: [@Sendable () -> Void] = []

    /// The jobs that may go next; nil when none waits any more.
    mutating func next() -> (@Sendable () -> Void)? {
      isOpening = !waiting.isEmpty
      return isOpening ? waiting.removeFirst() : nil
    }
  }

  /// The queue of the reports.
  let queue: DispatchQueue
  /// Whether every response handler waits, on whatever queue it runs: by default, those on the same queue do.
  let holdsAll: Bool
  private let state = Locked(State())

  init(queue: DispatchQueue, holdsAll: Bool = false) {
    self.queue = queue
    self.holdsAll = holdsAll
  }

  /// Whether what runs on a queue waits for the reports on that queue.
  func isOf(_ queue: DispatchQueue) -> Bool { !holdsAll && self.queue.isSame(as: queue) }

  /// Runs a report on the queue.
  func report(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.underway += 1 }
    queue.async {
      work()
      self.reportEnded()
    }
  }

  /// Runs `action` when no report is on its way any more, at once if there is none.
  func afterReports(_ action: @escaping @Sendable () -> Void) {
    let waits = state.withLock { state in
      guard state.underway > 0 || state.isOpening else { return false }
      state.waiting.append(action)
      return true
    }
    if !waits { action() }
  }

  private func reportEnded() {
    let isLast = state.withLock { state in
      state.underway -= 1
      return state.underway == 0 && !state.isOpening
    }
    guard isLast else { return }
    // One after the other, in the order in which they came, also those that come meanwhile.
    while let action = state.withLock({ $0.next() }) { action() }
  }
}

extension ProgressBarrier? {
  /// Without a gate nothing has to be waited for.
  func afterReports(_ action: @escaping @Sendable () -> Void) {
    if let self { self.afterReports(action) } else { action() }
  }
}
