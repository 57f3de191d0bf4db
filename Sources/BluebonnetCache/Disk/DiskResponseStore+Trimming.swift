// SPDX-License-Identifier: MIT

// Removing responses when there are too many. The index names them, so that no directory is listed for it.
extension DiskResponseStore {
  func trimIfNeeded() throws(ResponseStoreError) {
    let isNeeded = state.withLock { $0.index == nil || $0.usage > Int64($0.capacity) }
    if isNeeded { try changing { () throws(ResponseStoreError) in try trim() } }
  }

  /// Removes the responses that were not used for the longest time if the store is over its capacity: down to nine tenths of it, so that
  /// each response that is stored costs the removal of about one other.
  func trim() throws(ResponseStoreError) {
    // Only a listing shows the files that others have added.
    let isDue = state.withLock { $0.isStale && $0.added > Int64($0.capacity) / 8 }
    if isDue { try count() }
    let capacity = state.withLock { Int64($0.capacity) }
    guard state.withLock({ $0.usage > capacity }) else { return }
    let goal = capacity - capacity / 10
    while let files = state.withLock({ $0.usage > goal ? $0.index?.next : nil }) {
      do throws(ResponseStoreError) {
        try removed(files.name)
      } catch {
        // The others are tried before this one is tried again.
        state.withLock { $0.index?.use(files.name) }
        throw error
      }
      for body in files.bodies { directory.remove(StoreName.body(body.number, of: files.name)) }
      forget(files.name)
    }
  }
}
