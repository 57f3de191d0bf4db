// What goes when there is too much: what the index names, so that no directory is listed for it.
extension DiskResponseStore {
  func trimIfNeeded() throws(ResponseStoreError) {
    let isNeeded = state.withLock { $0.index == nil || $0.usage > Int64($0.capacity) }
    if isNeeded { try changing { () throws(ResponseStoreError) in try trim() } }
  }

  /// Removes what was not used for the longest time, if there is too much: a tenth of the capacity, so that each response that is kept costs
  /// the removal of about one other.
  func trim() throws(ResponseStoreError) {
    // What others add is noticed now and then.
    let isDue = state.withLock { $0.isStale && $0.added > Int64($0.capacity) / 8 }
    if isDue { try count() }
    let capacity = state.withLock { Int64($0.capacity) }
    guard state.withLock({ $0.usage > capacity }) else { return }
    let goal = capacity - capacity / 10
    while let files = state.withLock({ $0.usage > goal ? $0.index?.next : nil }) {
      do throws(ResponseStoreError) {
        try removed(files.name)
      } catch {
        // The others get their turn before it is tried again.
        state.withLock { $0.index?.use(files.name) }
        throw error
      }
      for body in files.bodies { directory.remove(StoreName.body(body.number, of: files.name)) }
      forget(files.name)
    }
  }
}
