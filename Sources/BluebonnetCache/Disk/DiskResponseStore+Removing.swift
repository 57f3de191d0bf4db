// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// How responses are removed. Waits for the disk.
extension DiskResponseStore {
  /// As ``remove(_:)``, there and then.
  func removeVariants(_ key: StoredResponse.Key) throws(ResponseStoreError) {
    guard isThere else { return }
    let hash = StoreName.hash(of: key)
    do throws(ResponseStoreError) {
      try changing { () throws(ResponseStoreError) in try removeAll(hash) }
    } catch {
      // Whatever other processes do: a response to be forgotten is not found any more.
      directory.remove(hash)
      throw error
    }
  }

  /// As ``makeWay(for:)``, there and then.
  func removeElder(of response: StoredResponse) throws(ResponseStoreError) {
    guard isThere else { return }
    let hash = StoreName.hash(of: response.key)
    do throws(ResponseStoreError) {
      // Most often there is none, and nothing has to wait for its turn.
      guard var known = try variants(hash), known.variants.first?.response.key == response.key,
        !known.makeWay(for: response).isEmpty
      else { return }
      try changing { () throws(ResponseStoreError) in
        guard var file = try variants(hash) else { return }
        let dropped = file.makeWay(for: response)
        if dropped.count == 1, file.variants.isEmpty { return try removeAll(hash) }
        let bytes = try file.bytes()
        try directory.write(bytes, to: hash)
        settle(hash, file, length: bytes.count, dropped: dropped)
      }
    } catch {
      // It goes, and takes the others along.
      directory.remove(hash)
      throw error
    }
  }

  /// As ``removeAll()``, there and then.
  func removeAllFiles() throws(ResponseStoreError) {
    guard isThere else { return }
    try removing { () throws(ResponseStoreError) in
      try removeFiles { if case .temporary = $0 { false } else { true } }
      state.withLock { $0.touched = [:] }
      try count()
    }
  }

  /// Removes files that are ours.
  func removeFiles(where isPendingRemoval: (StoreName) -> Bool) throws(ResponseStoreError) {
    for file in try directory.facts() {
      if let name = StoreName(file.name), isPendingRemoval(name) { try removed(file.name) }
    }
  }

  /// Removes something while no other process changes anything. If that fails, everything goes, whatever others do: it
  /// must not be found any more.
  func removing(_ body: () throws(ResponseStoreError) -> Void) throws(ResponseStoreError) {
    do throws(ResponseStoreError) {
      try changing(body)
    } catch {
      try? removeFiles { if case .variants = $0 { true } else { false } }
      throw error
    }
  }

  /// As ``removeAll(since:)``, there and then.
  func removeVariants(since date: Date) throws(ResponseStoreError) {
    guard isThere else { return }
    try removing { () throws(ResponseStoreError) in
      for facts in try directory.facts() {
        guard case .variants(let hash)? = StoreName(facts.name), var file = try variants(hash) else {
          continue
        }
        let young = file.variants.filter { $0.response.responseTime > date }
        guard !young.isEmpty else { continue }
        file.variants.removeAll { $0.response.responseTime > date }
        if file.variants.isEmpty {
          try removed(hash)
        } else {
          do throws(ResponseStoreError) {
            try directory.write(try file.bytes(), to: hash)
          } catch {
            // It goes, and takes the others along if there is no room to write them without it.
            try removed(hash)
          }
        }
        for body in VariantFile.bodies(of: young) { directory.remove(StoreName.body(body.number, of: hash)) }
      }
      try count()
    }
  }

  func removeAll(_ hash: String) throws(ResponseStoreError) {
    let known = state.withLock { $0.index?.bodies(of: hash) ?? [] }
    let bodies = try variants(hash)?.bodies ?? []
    try removed(hash)
    for number in Set((known + bodies).map(\.number)) { directory.remove(StoreName.body(number, of: hash)) }
    forget(hash)
  }

  func removed(_ name: String) throws(ResponseStoreError) {
    guard directory.remove(name) else { throw .current("unlinkat") }
  }
}

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
