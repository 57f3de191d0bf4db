// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks

/// Responses on disk, bounded by bytes, which outlive the process.
///
/// - **Place.** A directory within the one that is named, for this user alone (mode 0700). Names of files are hashes. It is made
///   when something is first kept.
/// - **Killed at any moment.** A file gets its name when it is complete, by `rename`, so a process that is killed leaves nothing half
///   written that is ever found; what it was writing is removed by the next process, a few files at a time. Nothing is synced: after a
///   power failure, files that are not whole are recognised by their checksums and dropped.
/// - **Several processes** may use one directory at a time. They take turns in changing it, and readers never wait.
/// - **Bounded.** Responses over the capacity are removed, a tenth of it at a time, the one unused for longest first; a response
///   takes at most a twentieth of the capacity. Sizes count in pages of 4 KiB. An index in memory tells what goes next, with about 100
///   bytes for each key: the directory is listed once, and again where several processes share it. These notice what the others add
///   when an eighth of the capacity has been added by themselves, so together they may be that much over it, each.
/// - **Descriptors.** The file of a large body is open while it is written, and from when it is found until it has been read. At most 64 files
///   are open that have been found and are not being read.
/// - **Cost.** A response with a body of up to 16 KiB is found with three system calls: open, read, close. A larger body lies in a file of
///   its own, and is read and written in pieces of 256 KiB. Each 64 KiB have a checksum, so bytes are verified before use.
/// - **Damage.** A damaged response is not found, and removed; a body that turns out so halfway throws.
///
/// Requests' fields that `Vary` names are kept, too, as ``StoredResponse/variant`` has them.
public final class DiskResponseStore: ResponseStore {
  let directory: StoreDirectory
  private let lock: StoreLock
  let state: Locked<DiskState>
  /// Reading may wait for the disk; so do writers, in turn.
  private let reading = DispatchQueue(label: "bluebonnet.store.reading", attributes: .concurrent)
  private let writing = DispatchQueue(label: "bluebonnet.store.writing")
  /// Closes files, without waiting for writes.
  private let closing = DispatchQueue(label: "bluebonnet.store.closing")

  /// Makes a store. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - directory: Where it makes its own directory. It is made with the directories above it.
  ///   - capacity: Bytes that may be kept.
  public convenience init(directory: URL, capacity: Int) {
    self.init(path: directory.path, capacity: capacity)
  }

  package init(path: String, capacity: Int, patience: Duration = .seconds(5)) {
    directory = StoreDirectory(in: path)
    lock = StoreLock(directory, patience: patience)
    state = Locked(DiskState(capacity: max(0, capacity)))
  }

  deinit {
    let (touched, directory) = (state.withLock { $0.touched }, directory)
    if !touched.isEmpty { writing.async { Self.tell(touched, directory) } }
  }

  /// Bytes that may be kept. If it becomes less, the excess is removed before this returns.
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
    if capacity > 0, state.withLock({ $0.index == nil }), isThere {
      try? changing { () throws(ResponseStoreError) in }
    }
    return Int(clamping: state.withLock { $0.usage })
  }

  /// Makes the directory, removes the files of dead processes there, and counts the responses: otherwise done when it is first
  /// needed. Waits for the disk.
  ///
  /// - Throws: ``ResponseStoreError`` if the directory cannot be used.
  public func prepare() throws {
    guard state.withLock({ $0.index == nil || !$0.leftovers.isEmpty }) else { return }
    try changing { () throws(ResponseStoreError) in try trim() }
    while try changing({ () throws(ResponseStoreError) in clean() }) {}
  }

  /// The largest response that is kept.
  var entryLimit: Int64 { Int64(capacity / 20) }

  /// Does something while no other process changes anything.
  func changing<Result>(
    _ body: () throws(ResponseStoreError) -> Result
  ) throws(ResponseStoreError) -> Result {
    try lock.withLock { (last) throws(ResponseStoreError) in
      if state.withLock({ $0.mustCount(after: last) }) { try count() }
      return try body()
    }
  }

  /// Whether nothing is kept under a key, as far as can be told without asking the disk. Where others share the directory, it cannot.
  func surelyLacks(_ key: StoredResponse.Key) -> Bool {
    let hash = StoreName.hash(of: key)
    return state.withLock { $0.surelyLacks(hash) }
  }

  /// Whether there is something to remove: a store that has never kept anything has no directory, and gets none for that.
  var isThere: Bool { access(directory.path, F_OK) == 0 || errno != ENOENT }
}

// MARK: - The protocol

extension DiskResponseStore {
  /// Finds all variants of a key, with three system calls if all have bodies of up to 16 KiB.
  public func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader] {
    try await on(reading) { try self.find(key) }
  }

  /// Begins to keep a response.
  ///
  /// - Throws: ``ResponseStoreError/tooLarge(limit:)`` for more than a twentieth of the capacity. Its writer throws what went wrong with
  ///   a file, such as ``ResponseStoreError/failed(call:errno:)`` with `ENOSPC` on a full disk.
  public func write(_ response: StoredResponse) async throws -> any StoredResponseWriter {
    try await on(writing) { try self.begin(response) }
  }

  /// Gives a kept response another head. Its body is not written again unless it is small.
  public func update(_ response: StoredResponse) async throws -> Bool {
    try await on(writing) { try self.updateHead(response) }
  }

  /// Removes all variants of a key. They are gone even if ``ResponseStoreError/busy`` is thrown, because others keep the store busy.
  public func remove(_ key: StoredResponse.Key) async throws {
    try await on(writing) { try self.removeVariants(key) }
  }

  /// Removes the variant that a response would take the place of.
  func makeWay(for response: StoredResponse) async throws {
    try await on(writing) { try self.removeElder(of: response) }
  }

  /// Removes all responses, also those of other processes that use the directory.
  public func removeAll() async throws { try await on(writing) { try self.removeAllFiles() } }

  /// Removes what came in after a date. Reads the heads of all responses.
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

  /// Closes a file on a queue of its own, since this is a system call.
  func close(_ file: OpenFile) { closing.async { withExtendedLifetime(file) {} } }

  func onReading<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await on(reading, body)
  }

  func onWriting<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await on(writing, body)
  }
}

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
