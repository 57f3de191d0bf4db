// SPDX-License-Identifier: MIT

/// The state of a store on disk: its index, the files that it is writing, and the files that may belong to nothing.
struct DiskState: Sendable {
  var capacity: Int
  /// The files in the directory, as far as they are known; nil until they have been counted.
  var index: StoreIndex?
  /// Bytes of the files that this store is writing, by their names.
  var writing: [String: Int64] = [:]
  /// Bytes that others were writing when they were last counted.
  var others: Int64 = 0
  /// Bytes that have been added since the last count.
  var added: Int64 = 0
  /// Others have changed something since the last count.
  private(set) var isStale = false
  /// Others have changed something at some time.
  private var isShared = false
  /// The last uses of files that the file system has not been told of yet.
  var touched: [String: Int64] = [:]
  /// Files that may belong to nothing, and have not been looked at yet.
  var leftovers: [Leftover] = []
  private var isCleaning = false
  /// Files of bodies that are open for reading.
  var openBodies = 0

  /// A file that may belong to nothing.
  enum Leftover: Sendable {
    /// A file that another process or store is writing, or was writing when it ended.
    case temporary(String, size: Int64)
    /// A body without variants.
    case body(UInt64, of: String)
    /// Variants that may name fewer bodies than there are.
    case unread(String)
  }

  init(capacity: Int) { self.capacity = capacity }

  /// Bytes in the directory, with those that are being written.
  var usage: Int64 { writing.values.reduce((index?.size ?? 0) + others, +) }

  /// Whether the directory has to be listed before it can be changed.
  ///
  /// - Parameter last: The store that had the lock before.
  mutating func mustCount(after last: StoreLock.Last) -> Bool {
    guard index != nil else { return true }
    if last != .own { (isStale, isShared) = (true, true) }
    return last == .unknown
  }

  /// Whether no response is stored under a name, as far as memory can tell. If others share the directory, it cannot.
  func surelyLacks(_ name: String) -> Bool {
    guard let index, !isShared else { return false }
    return !index.contains(name)
  }

  // MARK: Counting

  /// The files of one key.
  private struct Group {
    /// Bytes of the file of the variants; nil if there is none.
    var head: Int64?
    var time: Int64 = 0
    var bodies: [StoreIndex.Body] = []
  }

  /// The result of a listing.
  struct Count: Sendable {
    fileprivate var index = StoreIndex()
    fileprivate var leftovers: [Leftover] = []
  }

  /// Makes the index from a listing of the directory. Takes long where there are many files, so it is done without the lock of this state.
  ///
  /// - Parameters:
  ///   - own: The files that this store is writing.
  ///   - isFirst: Whether this store has not listed the directory before.
  static func count(_ files: [StoreDirectory.Facts], own: Set<String>, isFirst: Bool) -> Count {
    var groups: [String: Group] = [:]
    var count = Count()
    for file in files {
      let size = DiskResponseStore.charge(file.size)
      switch StoreName(file.name) {
      case .variants(let hash):
        groups[hash, default: Group()].time = file.time
        groups[hash]?.head = size
      case .body(let hash, let number):
        groups[hash, default: Group()].bodies.append(.init(number: number, size: size))
      // A file that this store is writing counts by its length when it is complete.
      case .temporary where own.contains(file.name): break
      case .temporary: count.leftovers.append(.temporary(file.name, size: size))
      case nil: break
      }
    }
    for (hash, group) in groups.sorted(by: { $0.value.time < $1.value.time }) {
      if let head = group.head {
        count.index.set(hash, head: head, bodies: group.bodies)
        // A process may have been killed between two steps, and have left a body that no head names.
        if isFirst, !group.bodies.isEmpty { count.leftovers.append(.unread(hash)) }
      } else {
        count.leftovers += group.bodies.map { .body($0.number, of: hash) }
      }
    }
    return count
  }

  /// The directory has been listed.
  mutating func take(_ count: Count) {
    // Variants that have not been read yet still have to be read.
    leftovers.removeAll { if case .unread = $0 { false } else { true } }
    leftovers += count.leftovers
    index = count.index
    (others, added, isStale) = (0, 0, false)
  }

  // MARK: Cleaning

  /// Takes some of the files that may belong to nothing.
  mutating func takeLeftovers(_ limit: Int) -> [Leftover] {
    let step = Array(leftovers.suffix(limit))
    leftovers.removeLast(step.count)
    return step
  }

  /// Begins to clean.
  ///
  /// - Returns: false if there is nothing to clean, or cleaning is under way.
  mutating func beginCleaning() -> Bool {
    if isCleaning || leftovers.isEmpty { return false }
    isCleaning = true
    return true
  }

  mutating func endCleaning() { isCleaning = false }
}
