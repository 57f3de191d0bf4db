// SPDX-License-Identifier: MIT
import BluebonnetLibc

// Removing the files that dead processes have left: a few at a time, so that nothing waits for it for long.
extension DiskResponseStore {
  /// The number of files that one step looks at, which takes about a millisecond.
  static let cleaningStep = 32

  /// Removes some of the files that belong to nothing. Called while the lock is held.
  ///
  /// - Returns: Whether there may be more.
  func clean(_ limit: Int = cleaningStep) -> Bool {
    let (step, isMore) = state.withLock { ($0.takeLeftovers(limit), !$0.leftovers.isEmpty) }
    for leftover in step {
      switch leftover {
      case .temporary(let name, let size):
        if !sweep(name) { state.withLock { $0.others += size } }
      case .body(let number, let hash): directory.remove(StoreName.body(number, of: hash))
      // Variants that cannot be read now go when the store is trimmed.
      case .unread(let hash): try? clean(hash)
      }
    }
    return isMore
  }

  /// Removes the bodies that a key's variants do not name.
  private func clean(_ hash: String) throws(ResponseStoreError) {
    let known = state.withLock { $0.index?.bodies(of: hash) ?? [] }
    if known.isEmpty { return }
    let named = Set(try variants(hash)?.bodies.map(\.number) ?? [])
    for body in known where !named.contains(body.number) {
      directory.remove(StoreName.body(body.number, of: hash))
      state.withLock { $0.index?.removeBody(body.number, of: hash) }
    }
  }

  /// Removes a file that a dead process was writing. A writer makes and locks its file while it holds the store's lock. This store holds that lock
  /// now, so a file that is not locked has no owner any more.
  ///
  /// - Returns: Whether it is gone.
  private func sweep(_ name: String) -> Bool {
    guard let opened = try? directory.file(name) else { return true }
    guard flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    return directory.remove(name)
  }

  /// Cleans step by step, with the turns of writes in between.
  func cleanLater() {
    if state.withLock({ $0.beginCleaning() }) { later { [weak self] in self?.cleanNow() } }
  }

  private func cleanNow() {
    // If others keep the store busy, the next commit tries again.
    let isMore = (try? changing { () throws(ResponseStoreError) in clean() }) ?? false
    state.withLock { $0.endCleaning() }
    if isMore { cleanLater() }
  }
}
