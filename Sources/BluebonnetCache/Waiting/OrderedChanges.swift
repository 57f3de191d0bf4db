// SPDX-License-Identifier: MIT
import BluebonnetLocks

/// Changes of a store: one after the other, in the order of the calls and whatever session they come from, so that nothing
/// older replaces something newer.
final class OrderedChanges: Sendable {
  private let last = Locked<(@Sendable () async -> Void)?>(nil)

  /// Makes a change when those before it have been made. May be called from any thread. A change must not wait for another one that is
  /// called for later: that one waits for it.
  @discardableResult
  func enqueue(_ change: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    last.withLock { last in
      let before = last
      // Tasks waiting for it may occupy the threads of tasks.
      let task = Task(executorPreference: WaitingExecutor.shared) {
        await before?()
        await change()
      }
      last = { await task.value }
      return task
    }
  }
}
