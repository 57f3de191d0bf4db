import BluebonnetFoundation
import BluebonnetLocks
import Glibc

/// Responses on disk, bounded by bytes, which outlive the process.
///
/// - **Place.** A directory within the one that is named, for this user alone (mode 0700). Names of files are hashes. It is made
///   when something is first kept.
/// - **Killed at any moment.** A file gets its name when it is complete, by `rename`, so a process that is killed leaves nothing half
///   written that is ever found; what it was writing is removed by the next process. Nothing is synced: after a power failure, files
///   that are not whole are recognised by their checksums and dropped.
/// - **Several processes** may use one directory at a time. They take turns in changing it, and nobody waits to read.
/// - **Bounded.** What is over the capacity is removed, a tenth of it at a time, what was not used for the longest time first; a response
///   takes at most a twentieth of the capacity. Sizes count in pages of 4 KiB. Processes that share a directory notice what the others
///   add when an eighth of the capacity has been added by themselves, so together they may be that much over it, each.
/// - **Cost.** A response with a body of up to 16 KiB is found with three system calls: open, read, close. A larger body lies in a file of
///   its own, and is read and written in pieces of 256 KiB. Each 64 KiB have a checksum, so what is handed out has been verified.
/// - **Damage.** What is not as it was written is not found, and removed; a body that turns out so halfway throws.
///
/// Requests' fields that `Vary` names are kept, too, as ``StoredResponse/variant`` has them.
public final class DiskResponseStore: ResponseStore {
  let directory: StoreDirectory
  private let lock: StoreLock
  private let state: Locked<State>
  /// Reading may wait for the disk; so do writers, in turn.
  private let reading = DispatchQueue(label: "bluebonnet.store.reading", attributes: .concurrent)
  private let writing = DispatchQueue(label: "bluebonnet.store.writing")

  private struct State {
    var capacity: Int
    /// Bytes in the directory, as far as is known; nil until they have been counted.
    var usage: Int64?
    /// Bytes that have been added since they were last counted.
    var added: Int64 = 0
    /// When files were used, as far as they have not been told.
    var touched: [String: Int64] = [:]
  }

  /// Makes a store. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - directory: Where it makes its own directory. It is made with the directories above it.
  ///   - capacity: Bytes that may be kept.
  public convenience init(directory: URL, capacity: Int) {
    self.init(path: directory.path, capacity: capacity)
  }

  init(path: String, capacity: Int, patience: Duration = .seconds(5)) {
    directory = StoreDirectory(in: path)
    lock = StoreLock(directory, patience: patience)
    state = Locked(State(capacity: max(0, capacity)))
  }

  deinit {
    let (touched, directory) = (state.withLock { $0.touched }, directory)
    if !touched.isEmpty { writing.async { Self.tell(touched, directory) } }
  }

  /// Bytes that may be kept. If it becomes less, what is too much is removed before this returns.
  public var capacity: Int {
    get { state.withLock { $0.capacity } }
    set {
      let isLess = state.withLock { state in
        defer { state.capacity = max(0, newValue) }
        return newValue < state.capacity
      }
      if isLess, isThere { try? trimIfNeeded() }
    }
  }

  /// Bytes that are kept, those of other processes included as of when they were last counted. Waits for the disk the first time.
  public var usage: Int {
    if capacity > 0, isThere { try? prepare() }
    return Int(clamping: state.withLock { $0.usage } ?? 0)
  }

  /// Makes the directory, removes what dead processes have left there, and counts what is kept: what is otherwise done when it is first
  /// needed. Waits for the disk.
  ///
  /// - Throws: ``ResponseStoreError`` if the directory cannot be used.
  public func prepare() throws {
    if state.withLock({ $0.usage != nil }) { return }
    try changing { () throws(ResponseStoreError) in try trim() }
  }

  /// The largest response that is kept.
  var entryLimit: Int64 { Int64(capacity / 20) }
}

// MARK: - The protocol

extension DiskResponseStore {
  public func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader] {
    try await on(reading) { try self.find(key) }
  }

  public func write(_ response: StoredResponse) async throws -> any StoredResponseWriter {
    try await on(writing) { try self.begin(response) }
  }

  public func update(_ response: StoredResponse) async throws -> Bool {
    try await on(writing) { try self.updateHead(response) }
  }

  public func remove(_ key: StoredResponse.Key) async throws {
    try await on(writing) { try self.removeVariants(key) }
  }

  public func removeAll() async throws { try await on(writing) { try self.removeAllFiles() } }

  public func removeAll(since date: Date) async throws {
    try await on(writing) { try self.removeVariants(since: date) }
  }

  /// Does on a queue what waits for the disk.
  private func on<Result: Sendable>(
    _ queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }

  /// Does it when writers are through, and waits for nothing.
  func later(_ body: @escaping @Sendable () -> Void) { writing.async(execute: body) }

  func onReading<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await on(reading, body)
  }

  func onWriting<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await on(writing, body)
  }
}

// MARK: - What waits for the disk

extension DiskResponseStore {
  /// As ``responses(for:)``, there and then.
  func find(_ key: StoredResponse.Key) throws(ResponseStoreError) -> [DiskResponseReader] {
    guard capacity > 0 else { return [] }
    let hash = StoreName.hash(of: key)
    var readers: [DiskResponseReader] = []
    // A head may have been replaced after it was read, and its body removed: then there is a newer one.
    for _ in 0..<3 {
      guard let file = try variants(hash) else { return [] }
      readers = []
      var isWhole = true
      for variant in file.variants where variant.response.key == key {
        switch variant.body {
        case .here(let body): readers.append(DiskResponseReader(variant.response, body: body))
        case .beside(let number):
          let body = try directory.file(StoreName.body(number, of: hash))
          if let body, body.size == BodyChunks.fileLength(variant.length) {
            readers.append(DiskResponseReader(variant.response, body, number: number, store: self))
          } else {
            isWhole = false
          }
        }
      }
      if isWhole { break }
    }
    if !readers.isEmpty { use(hash) }
    return readers
  }

  /// The variants of a key; nil if there are none. What cannot be read is removed.
  private func variants(_ hash: String) throws(ResponseStoreError) -> VariantFile? {
    do throws(ResponseStoreError) {
      guard let file = try directory.file(hash) else { return nil }
      return try VariantFile(try file.contents(expecting: 32 * 1024, limit: VariantFile.sizeLimit))
    } catch {
      switch error {
      case .damaged, .failed(_, EISDIR), .failed(_, ELOOP):
        directory.remove(hash)
        return nil
      default: throw error
      }
    }
  }

  /// As ``write(_:)``, there and then.
  func begin(_ response: StoredResponse) throws(ResponseStoreError) -> DiskResponseWriter {
    let limit = entryLimit
    guard limit > 0, response.bodyLength ?? 0 <= limit else { throw .tooLarge(limit: limit) }
    // What cannot be written had better be known before the body comes.
    let head = try response.encodedBytes().count
    guard head <= limit else { throw .tooLarge(limit: limit) }
    return DiskResponseWriter(response, store: self, limit: limit)
  }

  /// Makes a response one that can be found.
  ///
  /// - Parameter temporary: The file with the body, if it is large.
  func commit(
    _ response: StoredResponse, _ body: VariantFile.Body, temporary: String?
  ) throws(ResponseStoreError) {
    let hash = StoreName.hash(of: response.key)
    try changing { () throws(ResponseStoreError) in
      var file = try variants(hash) ?? VariantFile()
      let before = file.variants.isEmpty ? 0 : Self.charge(Int64(try file.bytes().count))
      var dropped: [VariantFile.Variant] = []
      if let other = file.variants.first, other.response.key != response.key {
        // Another key with the same hash.
        dropped = file.variants
        file = VariantFile()
      }
      dropped += file.put(.init(response: response, body: body))
      let bytes = try file.bytes()
      if let temporary, case .beside(let number) = body {
        try directory.rename(temporary, to: StoreName.body(number, of: hash))
      }
      do throws(ResponseStoreError) {
        try directory.write(bytes, to: hash)
      } catch {
        if case .beside(let number) = body { directory.remove(StoreName.body(number, of: hash)) }
        throw error
      }
      removeBodies(of: dropped, hash)
      forgetUse(hash)
      note(Self.charge(Int64(bytes.count)) - before)
      try trim()
    }
  }

  /// As ``update(_:)``, there and then.
  func updateHead(_ response: StoredResponse) throws(ResponseStoreError) -> Bool {
    guard capacity > 0 else { return false }
    let hash = StoreName.hash(of: response.key)
    return try changing { () throws(ResponseStoreError) in
      guard var file = try variants(hash),
        let index = file.variants.firstIndex(where: {
          $0.response.id == response.id && $0.response.key == response.key
            && $0.response.variant == response.variant
        })
      else { return false }
      let length = file.variants[index].response.bodyLength
      file.variants[index].response = response
      file.variants[index].response.bodyLength = length
      try directory.write(try file.bytes(), to: hash)
      forgetUse(hash)
      return true
    }
  }

  /// As ``remove(_:)``, there and then.
  func removeVariants(_ key: StoredResponse.Key) throws(ResponseStoreError) {
    guard isThere else { return }
    let hash = StoreName.hash(of: key)
    do throws(ResponseStoreError) {
      try changing { () throws(ResponseStoreError) in try removeAll(hash) }
    } catch {
      // Whatever others do: what is to be forgotten is not found any more.
      directory.remove(hash)
      throw error
    }
  }

  /// As ``removeAll()``, there and then.
  func removeAllFiles() throws(ResponseStoreError) {
    guard isThere else { return }
    try changing { () throws(ResponseStoreError) in
      for file in try directory.facts() {
        switch StoreName(file.name) {
        case .variants, .body: try removed(file.name)
        case .temporary, nil: break
        }
      }
      state.withLock { state in
        state.touched = [:]
        state.usage = nil
      }
      try count(isFirst: false)
    }
  }

  /// As ``removeAll(since:)``, there and then.
  func removeVariants(since date: Date) throws(ResponseStoreError) {
    guard isThere else { return }
    try changing { () throws(ResponseStoreError) in
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
            // What has to go goes, and takes the others along if there is no room to write them without it.
            try removed(hash)
          }
        }
        removeBodies(of: young, hash)
      }
      try count(isFirst: false)
    }
  }

  /// Notes that a file was used: told to the file system later, many at a time.
  private func use(_ hash: String) {
    let now = StoreDirectory.now()
    let isTime = state.withLock { state in
      state.touched[hash] = now
      return state.touched.count >= 256
    }
    if isTime { tellUses() }
  }

  private func forgetUse(_ hash: String) { state.withLock { $0.touched[hash] = nil } }

  /// Tells the file system, and with it other processes, what was used.
  private func tellUses() {
    let touched = state.withLock { state in
      defer { state.touched = [:] }
      return state.touched
    }
    Self.tell(touched, directory)
  }

  private static func tell(_ touched: [String: Int64], _ directory: StoreDirectory) {
    for (hash, time) in touched { directory.touch(hash, at: time) }
  }
}

// MARK: - How much there is

extension DiskResponseStore {
  /// What a file takes up on disk, about.
  static func charge(_ size: Int64) -> Int64 { (size + 4095) / 4096 * 4096 }

  /// Bytes are about to be written: removes what is too much.
  ///
  /// - Throws: ``ResponseStoreError/full(capacity:)`` if what is being written at the same time takes up all.
  func makeRoom(_ bytes: Int64) throws(ResponseStoreError) {
    note(bytes)
    try trimIfNeeded()
    let (usage, capacity) = state.withLock { ($0.usage ?? 0, $0.capacity) }
    if usage > Int64(capacity) { throw .full(capacity: capacity) }
  }

  /// Bytes have been written, or removed.
  func note(_ bytes: Int64) {
    state.withLock { state in
      state.usage = state.usage.map { max(0, $0 + bytes) }
      state.added += max(0, bytes)
    }
  }

  private func trimIfNeeded() throws(ResponseStoreError) {
    let isNeeded = state.withLock {
      $0.usage.map { [capacity = $0.capacity] usage in usage > Int64(capacity) } ?? true
    }
    if isNeeded { try changing { () throws(ResponseStoreError) in try trim() } }
  }

  /// Whether there is something to remove: a store that has never kept anything has no directory, and gets none for that.
  private var isThere: Bool { access(directory.path, F_OK) == 0 || errno != ENOENT }

  /// Does something while nobody else changes anything.
  private func changing<Result>(
    _ body: () throws(ResponseStoreError) -> Result
  ) throws(ResponseStoreError) -> Result {
    try lock.withLock { () throws(ResponseStoreError) in
      if state.withLock({ $0.usage == nil }) { try count(isFirst: true) }
      return try body()
    }
  }

  /// The files of one key.
  private struct Group {
    var size: Int64 = 0
    var time: Int64 = 0
    var isThere = false
    var bodies: [UInt64] = []
  }

  /// Removes what was not used for the longest time, if there is too much.
  private func trim() throws(ResponseStoreError) {
    let (usage, capacity, added) = state.withLock { ($0.usage ?? 0, Int64($0.capacity), $0.added) }
    guard usage > capacity || added > capacity / 8 else { return }
    tellUses()
    var (groups, total) = try count(isFirst: false)
    guard total > capacity else { return }
    let goal = capacity - capacity / 10
    for (hash, group) in groups.sorted(by: { $0.value.time < $1.value.time }) where total > goal {
      try removed(hash)
      for number in group.bodies { try removed(StoreName.body(number, of: hash)) }
      total -= group.size
      groups[hash] = nil
    }
    state.withLock { [total] in $0.usage = total }
  }

  /// Counts what there is, and removes what belongs to nothing.
  @discardableResult
  private func count(isFirst: Bool) throws(ResponseStoreError) -> (groups: [String: Group], total: Int64) {
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
        groups[hash, default: Group()].bodies.append(number)
        groups[hash]?.size += size
      case .temporary: total += sweep(file) ? 0 : size
      case nil: break
      }
    }
    for (hash, group) in groups where isFirst || !group.isThere {
      // Somebody was killed between two steps, and left a body that no head names.
      let named = group.isThere && !group.bodies.isEmpty ? try variants(hash)?.bodyNumbers ?? [] : []
      for number in group.bodies where !named.contains(number) {
        try removed(StoreName.body(number, of: hash))
      }
      if group.isThere {
        groups[hash]?.bodies.removeAll { !named.contains($0) }
      } else {
        groups[hash] = nil
      }
    }
    total += groups.reduce(0) { $0 + $1.value.size }
    state.withLock { [total] state in
      state.usage = total
      state.added = 0
    }
    return (groups, total)
  }

  /// Seconds for which a file is left alone that may have been made just now, and not be locked yet.
  static let sweepingAge: Int64 = 60

  /// Removes what a dead process was writing.
  ///
  /// - Returns: Whether it is gone.
  private func sweep(_ file: StoreDirectory.Facts) -> Bool {
    guard StoreDirectory.now() - file.time > Self.sweepingAge * 1_000_000_000,
      let opened = try? directory.file(file.name), flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0
    else { return false }
    return directory.remove(file.name)
  }

  private func removeAll(_ hash: String) throws(ResponseStoreError) {
    let file = try variants(hash)
    try removed(hash)
    if let file {
      removeBodies(of: file.variants, hash)
      if let bytes = try? file.bytes() { note(-Self.charge(Int64(bytes.count))) }
    }
    forgetUse(hash)
  }

  private func removed(_ name: String) throws(ResponseStoreError) {
    guard directory.remove(name) else { throw .current("unlinkat") }
  }

  private func removeBodies(of variants: [VariantFile.Variant], _ hash: String) {
    for variant in variants {
      guard case .beside(let number) = variant.body else { continue }
      if directory.remove(StoreName.body(number, of: hash)) {
        note(-Self.charge(BodyChunks.fileLength(variant.length)))
      }
    }
  }
}

extension VariantFile {
  /// The numbers of the bodies that lie in files of their own.
  fileprivate var bodyNumbers: [UInt64] {
    variants.compactMap { if case .beside(let number) = $0.body { number } else { nil } }
  }
}
