import Glibc

// How much there is.
extension DiskResponseStore {
  /// What a file takes up on disk, about.
  static func charge(_ size: Int64) -> Int64 { (size + 4095) / 4096 * 4096 }

  /// A file is about to have so many bytes: removes what is too much then.
  ///
  /// - Throws: ``ResponseStoreError/full(capacity:)`` if what is being written at the same time takes up all.
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

  /// Counts what there is, which takes a listing of the directory: once for a process, and seldom where others share it.
  ///
  /// What belongs to nothing is removed later, a few files at a time; see ``clean(_:)``.
  func count() throws(ResponseStoreError) {
    tellUses()
    let (own, isFirst) = state.withLock { (Set($0.writing.keys), $0.index == nil) }
    var groups: [String: Group] = [:]
    var leftovers: [Leftover] = []
    for file in try directory.facts() {
      let size = Self.charge(file.size)
      switch StoreName(file.name) {
      case .variants(let hash):
        groups[hash, default: Group()].time = file.time
        groups[hash]?.head = size
      case .body(let hash, let number):
        groups[hash, default: Group()].bodies.append(.init(number: number, size: size))
      // What this store is writing counts by what it will have when it is written.
      case .temporary where own.contains(file.name): break
      case .temporary: leftovers.append(.temporary(file.name, size: size))
      case nil: break
      }
    }
    var index = StoreIndex()
    for (hash, group) in groups.sorted(by: { $0.value.time < $1.value.time }) {
      if let head = group.head {
        index.set(hash, head: head, bodies: group.bodies)
        // A process may have been killed between two steps, and have left a body that no head names.
        if isFirst, !group.bodies.isEmpty { leftovers.append(.unread(hash)) }
      } else {
        leftovers += group.bodies.map { .body($0.number, of: hash) }
      }
    }
    state.withLock { [index, leftovers] state in
      // What nobody has read yet is still to be read.
      let unread = state.leftovers.filter { if case .unread = $0 { true } else { false } }
      state.index = index
      state.leftovers = unread + leftovers
      state.others = 0
      state.added = 0
      state.isStale = false
    }
    cleanLater()
  }

  /// The files of one key.
  private struct Group {
    /// Bytes of the file of the variants; nil if there is none.
    var head: Int64?
    var time: Int64 = 0
    var bodies: [StoreIndex.Body] = []
  }
}

extension VariantFile {
  /// The bodies that lie in files of their own.
  var bodies: [StoreIndex.Body] { Self.bodies(of: variants) }

  static func bodies(of variants: [Variant]) -> [StoreIndex.Body] {
    variants.compactMap { variant in
      guard case .beside(let number) = variant.body else { return nil }
      return .init(
        number: number, size: DiskResponseStore.charge(BodyChunks.fileLength(variant.length)))
    }
  }
}
