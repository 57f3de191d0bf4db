// SPDX-License-Identifier: MIT

// The sizes of the files, and their sum.
extension DiskResponseStore {
  /// Bytes that a file takes up on disk, about.
  static func charge(_ size: Int64) -> Int64 { (size + 4095) / 4096 * 4096 }

  /// Makes room for a file that is about to have so many bytes.
  ///
  /// - Throws: ``ResponseStoreError/full(capacity:)`` if the files that are being written at the same time take up all.
  func reserve(_ bytes: Int64, for temporary: String) throws(ResponseStoreError) {
    state.withLock { $0.writing[temporary] = bytes }
    try trimIfNeeded()
    let (usage, capacity) = state.withLock { ($0.usage, $0.capacity) }
    if usage > Int64(capacity) { throw .full(capacity: capacity) }
  }

  /// A file that was being written has another name, or is gone.
  func release(_ temporary: String) { state.withLock { $0.writing[temporary] = nil } }

  /// The variants of a key have been written: tells the index, and removes the bodies that none of them names any more.
  ///
  /// - Parameters:
  ///   - length: Bytes of the file.
  ///   - dropped: Variants that were in the file before.
  func settle(_ hash: String, _ file: VariantFile, length: Int, dropped: [VariantFile.Variant] = []) {
    let bodies = file.bodies
    let known = state.withLock { state in
      let known = state.index?.bodies(of: hash) ?? []
      state.added += max(0, state.index?.set(hash, head: Self.charge(Int64(length)), bodies: bodies) ?? 0)
      return known
    }
    var spent = Set(known.map(\.number) + VariantFile.bodies(of: dropped).map(\.number))
    spent.subtract(bodies.map(\.number))
    for number in spent { directory.remove(StoreName.body(number, of: hash)) }
    use(hash)
  }

  /// Lists the directory: once for a process, and seldom if others share it.
  ///
  /// Files that belong to nothing are removed later, a few at a time; see ``clean(_:)``.
  func count() throws(ResponseStoreError) {
    tellUses()
    let (own, isFirst) = state.withLock { (Set($0.writing.keys), $0.index == nil) }
    let count = DiskState.count(try directory.facts(), own: own, isFirst: isFirst)
    state.withLock { $0.take(count) }
    cleanLater()
  }
}
