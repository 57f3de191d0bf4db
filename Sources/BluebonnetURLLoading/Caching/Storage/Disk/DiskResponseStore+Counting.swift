import Glibc

// How much there is, and what goes when it is too much.
extension DiskResponseStore {
  /// What a file takes up on disk, about.
  static func charge(_ size: Int64) -> Int64 { (size + 4095) / 4096 * 4096 }

  /// A file is about to have so many bytes: removes what is too much then.
  ///
  /// - Throws: ``ResponseStoreError/full(capacity:)`` if what is being written at the same time takes up all.
  func reserve(_ bytes: Int64, for temporary: String) throws(ResponseStoreError) {
    state.withLock { state in
      state.added += max(0, bytes - (state.writing[temporary] ?? 0))
      state.writing[temporary] = bytes
    }
    try trimIfNeeded()
    let (usage, capacity) = state.withLock { ($0.usage, $0.capacity) }
    if usage > Int64(capacity) { throw .full(capacity: capacity) }
  }

  /// A file that was being written has another name, or is gone.
  func release(_ temporary: String) { state.withLock { $0.writing[temporary] = nil } }

  /// Bytes are kept, or no longer.
  func note(_ bytes: Int64) {
    state.withLock { state in
      state.kept = state.kept.map { max(0, $0 + bytes) }
      state.added += max(0, bytes)
    }
  }
}
