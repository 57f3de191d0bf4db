// SPDX-License-Identifier: MIT

// When responses were used: told to the file system, and with it to other processes, many at a time.
extension DiskResponseStore {
  /// Notes that a file was used: told to the file system later, many at a time.
  func use(_ hash: String) {
    let now = StoreDirectory.now()
    let isTime = state.withLock { state in
      state.index?.use(hash)
      state.touched[hash] = now
      return state.touched.count >= 256
    }
    if isTime { tellUses() }
  }

  /// All files of a key are gone.
  func forget(_ hash: String) {
    state.withLock { state in
      state.index?.remove(hash)
      state.touched[hash] = nil
    }
  }

  /// Tells the file system, and with it other processes, which responses were used.
  func tellUses() {
    let touched = state.withLock { state in
      defer { state.touched = [:] }
      return state.touched
    }
    Self.tell(touched, directory)
  }

  static func tell(_ touched: [String: Int64], _ directory: StoreDirectory) {
    for (hash, time) in touched { directory.touch(hash, at: time) }
  }
}
