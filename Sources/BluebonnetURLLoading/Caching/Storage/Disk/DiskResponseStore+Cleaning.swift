import Glibc

// What dead processes have left. It is removed a few files at a time, so that nothing waits for it for long.
extension DiskResponseStore {
  /// A file that may belong to nothing.
  enum Leftover: Sendable {
    /// A file that another process or store is writing, or was writing when it ended.
    case temporary(String, size: Int64)
    /// A body without variants.
    case body(UInt64, of: String)
    /// Variants that may name fewer bodies than there are.
    case unread(String)
  }

  /// How many files are looked at in one step: about a millisecond.
  static let cleaningStep = 32

  /// Removes some of what belongs to nothing. Called while nobody else changes anything.
  ///
  /// - Returns: Whether there may be more.
  func clean(_ limit: Int = cleaningStep) -> Bool {
    let (step, isMore) = state.withLock { state in
      let step = Array(state.leftovers.suffix(limit))
      state.leftovers.removeLast(step.count)
      return (step, !state.leftovers.isEmpty)
    }
    for leftover in step {
      switch leftover {
      case .temporary(let name, let size):
        if !sweep(name) { state.withLock { $0.others += size } }
      case .body(let number, let hash): directory.remove(StoreName.body(number, of: hash))
      // What cannot be read now goes when it is trimmed.
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

  /// Removes what a dead process was writing. Whoever writes a file locks it while nobody else changes anything, which is the case now, so one
  /// that is not locked has no owner any more.
  ///
  /// - Returns: Whether it is gone.
  private func sweep(_ name: String) -> Bool {
    guard let opened = try? directory.file(name) else { return true }
    guard flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    return directory.remove(name)
  }

  /// Cleans step by step, and lets whatever waits to be written have its turn in between.
  func cleanLater() {
    let begins = state.withLock { state in
      defer { state.isCleaning = state.isCleaning || !state.leftovers.isEmpty }
      return !state.isCleaning && !state.leftovers.isEmpty
    }
    guard begins else { return }
    later { [weak self] in self?.cleanNow() }
  }

  private func cleanNow() {
    // Where others keep the store busy, the next commit tries again.
    let isMore = (try? changing { () throws(ResponseStoreError) in clean() }) ?? false
    state.withLock { $0.isCleaning = false }
    if isMore { cleanLater() }
  }
}
