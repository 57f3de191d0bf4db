import Glibc

// What goes when there is too much, and what dead processes have left.
extension DiskResponseStore {
  func trimIfNeeded() throws(ResponseStoreError) {
    let isNeeded = state.withLock { $0.kept == nil || $0.usage > Int64($0.capacity) }
    if isNeeded { try changing { () throws(ResponseStoreError) in try trim() } }
  }

  /// The files of one key.
  struct Group {
    var size: Int64 = 0
    var time: Int64 = 0
    var isThere = false
    /// Bytes of the bodies by their numbers.
    var bodies: [UInt64: Int64] = [:]
  }

  /// Removes what was not used for the longest time, if there is too much.
  func trim() throws(ResponseStoreError) {
    let (usage, capacity, added) = state.withLock { ($0.usage, Int64($0.capacity), $0.added) }
    guard usage > capacity || added > capacity / 8 else { return }
    tellUses()
    let groups = try count(isFirst: false)
    var total = state.withLock { $0.usage }
    guard total > capacity else { return }
    let goal = capacity - capacity / 10
    for (hash, group) in groups.sorted(by: { $0.value.time < $1.value.time }) where total > goal {
      try removed(hash)
      for number in group.bodies.keys { try removed(StoreName.body(number, of: hash)) }
      note(-group.size)
      total -= group.size
    }
  }

  /// Counts what there is, and removes what belongs to nothing.
  @discardableResult
  func count(isFirst: Bool) throws(ResponseStoreError) -> [String: Group] {
    let own = state.withLock { Set($0.writing.keys) }
    var groups: [String: Group] = [:]
    var total: Int64 = 0
    for file in try directory.facts() {
      let size = Self.charge(file.size)
      switch StoreName(file.name) {
      case .variants(let hash):
        groups[hash, default: Group()].isThere = true
        groups[hash]?.time = file.time
        groups[hash]?.size += size
      case .body(let hash, let number):
        groups[hash, default: Group()].bodies[number] = size
        groups[hash]?.size += size
      // What this store is writing counts by what it will have when it is written.
      case .temporary where own.contains(file.name): break
      case .temporary: total += sweep(file) ? 0 : size
      case nil: break
      }
    }
    for (hash, group) in groups where isFirst || !group.isThere {
      // Somebody was killed between two steps, and left a body that no head names.
      let named = group.isThere && !group.bodies.isEmpty ? try variants(hash)?.bodyNumbers ?? [] : []
      for (number, size) in group.bodies where !named.contains(number) {
        try removed(StoreName.body(number, of: hash))
        groups[hash]?.bodies[number] = nil
        groups[hash]?.size -= size
      }
      if !group.isThere { groups[hash] = nil }
    }
    total += groups.reduce(0) { $0 + $1.value.size }
    state.withLock { [total] state in
      state.kept = total
      state.added = 0
    }
    return groups
  }

  /// Seconds for which a file is left alone that may have been made just now, and not be locked yet.
  static let sweepingAge: Int64 = 60

  /// Removes what a dead process was writing.
  ///
  /// - Returns: Whether it is gone.
  func sweep(_ file: StoreDirectory.Facts) -> Bool {
    guard StoreDirectory.now() - file.time > Self.sweepingAge * 1_000_000_000,
      let opened = try? directory.file(file.name), flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0
    else { return false }
    return directory.remove(file.name)
  }
}

extension VariantFile {
  /// The numbers of the bodies that lie in files of their own.
  fileprivate var bodyNumbers: [UInt64] {
    variants.compactMap { if case .beside(let number) = $0.body { number } else { nil } }
  }
}
