// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetURLLoading

/// Downloads that outlive the process: a list in a directory of yours, with the bytes received of each.
///
/// On Linux nothing loads for a program that has ended. A list is the substitute for a background session: the next
/// process that opens the directory finds the downloads, and the bytes received, however the one before ended.
///
/// Each download asks only for the rest (`Range` and `If-Range`), as <doc:ResumingDownloads> describes. Its body lies
/// in the directory from the first byte on, so that nothing is lost when the process is killed.
public final class DownloadList: Sendable {
  fileprivate struct Item {
    var entry: Entry
    /// Nil if it is damaged.
    var record: DownloadRecord?
    var transfer: DownloadTransfer?
    /// The transfer has been told to stop.
    var isStopping = false
    /// Resumed since then: it starts again as soon as it rests.
    var startsAgain = false
    var waiters: [UUID: CheckedContinuation<URL, any Error>] = [:]
  }

  fileprivate struct State {
    var items: [UUID: Item] = [:]
    /// As they were added.
    var order: [UUID] = []
    var nextOrder = 0
    var isClosed = false
    var watchers: [UUID: AsyncStream<Entry>.Continuation] = [:]
  }

  /// The list's directory.
  public let directory: URL
  /// The session that loads. Its limits, priorities, interceptors and retriers hold for the list.
  public let session: Session
  private let store: DownloadDirectory
  private let queue = DispatchQueue(label: "bluebonnet.downloads")
  private let state = Locked(State())

  /// Opens the list in a directory, or begins one. Nothing is loaded before ``resume()``.
  ///
  /// The directory is locked until the list is closed, or gone. It is to be the list's alone; it is made if it is not there,
  /// for this user only. Blocks while the disk is read.
  ///
  /// - Parameters:
  ///   - directory: Where to.
  ///   - session: The session that loads; `AF` by default.
  /// - Throws: ``DownloadListError/inUse(directory:)`` if another list has it, of this process or of another one;
  ///   ``DownloadListError/unusable(directory:reason:)`` if it cannot be made or read, is another user's, or others may write
  ///   to it. A damaged download does not fail the others: it is ``Entry/State/damaged(_:)``.
  public init(directory: URL, session: Session = AF) throws(DownloadListError) {
    self.directory = directory
    self.session = session
    store = try DownloadDirectory(directory)
    do throws(DownloadListError) {
      try read()
    } catch {
      store.close()
      throw error
    }
  }

  deinit {
    // Not at once: this may be the queue itself.
    let (transfers, watchers) = state.withLock { state in
      state.isClosed ? ([], []) : (state.items.values.compactMap(\.transfer), Array(state.watchers.values))
    }
    let isOpen = state.withLock { !$0.isClosed }
    for watcher in watchers { watcher.finish() }
    guard isOpen else { return }
    queue.async { [store] in
      for transfer in transfers { transfer.abandon() }
      store.close()
    }
  }

  // MARK: What there is

  /// All downloads, in the order in which they were added.
  public var entries: [Entry] {
    state.withLock { state in state.order.compactMap { state.items[$0]?.entry } }
  }

  /// One download; `nil` if there is none of this identifier.
  public func entry(_ id: Entry.ID) -> Entry? { state.withLock { $0.items[id]?.entry } }

  /// Each download whenever something about it has changed, until the list is closed. A slow reader misses older
  /// changes; ``entries`` has the present state.
  public func updates() -> AsyncStream<Entry> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1_024)) { continuation in
      let name = UUID.random()
      let isClosed = state.withLock { state in
        if !state.isClosed { state.watchers[name] = continuation }
        return state.isClosed
      }
      if isClosed { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.watchers.removeValue(forKey: name) }
      }
    }
  }

  /// Waits until a download is complete. It has to be resumed for that. Cancelling the task ends the wait, not the download.
  ///
  /// - Parameter id: Which.
  /// - Returns: The file.
  /// - Throws: Why it has failed, `CancellationError`, ``DownloadListError/removed`` or ``DownloadListError/closed``.
  public func file(of id: Entry.ID) async throws -> URL {
    let name = UUID.random()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<URL, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          guard let item = state.items[id] else { return .failure(DownloadListError.unknownEntry) }
          if item.entry.isCompleted { return .success(item.entry.fileURL) }
          if let error = item.entry.error { return .failure(error) }
          if state.isClosed { return .failure(DownloadListError.closed) }
          state.items[id]?.waiters[name] = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      state.withLock { $0.items[id]?.waiters.removeValue(forKey: name) }?
        .resume(throwing: CancellationError())
    }
  }

  // MARK: Adding, resuming and stopping

  /// Adds a download behind the others, and writes it down; it waits for ``resume(_:)``. Blocks until it is on the disk.
  ///
  /// The request's fields are written down, too, in a file that only this user can read.
  ///
  /// - Parameters:
  ///   - request: A plain GET of an http or https URL, without a range or conditions.
  ///   - name: The name of its file in ``directory``, in the folder `files`: a name, no path, of 255 bytes at most.
  /// - Returns: The download's identifier.
  /// - Throws: ``DownloadListError/refused(reason:)`` for anything else; ``DownloadListError/nameTaken(_:)``;
  ///   ``DownloadListError/storing(reason:)``; ``DownloadListError/closed``; the error of the `URLRequestConvertible`.
  @discardableResult
  public func add(_ request: any URLRequestConvertible, named name: String) throws -> Entry.ID {
    try add(request, named: name, digest: nil)
  }

  /// Adds a download, as ``add(_:named:)`` does, with the SHA-256 digest that its file must have before it gets its name.
  ///
  /// The digest is written down with the request, and is that of the bytes as they are in the file. The complete file is read for it,
  /// one file at a time; meanwhile the download is under way still. A file with another digest is emptied and gets no name: the
  /// download fails with ``AFError/responseValidationFailed(reason:)``: `customValidationFailed`, with a ``ChecksumMismatch`` inside.
  /// No retrier is asked; resumed, the download starts over. Where a policy of the system forbids SHA-256, it fails in the same
  /// way, and the bytes stay.
  ///
  /// - Parameters:
  ///   - request: A plain GET of an http or https URL, without a range or conditions.
  ///   - name: The name of its file in ``directory``, in the folder `files`: a name, no path, of 255 bytes at most.
  ///   - hexadecimal: The digest: 64 hexadecimal digits, in upper or lower case.
  /// - Returns: The download's identifier.
  /// - Throws: ``InvalidChecksum`` for any other text; the errors of ``add(_:named:)``.
  @discardableResult
  public func add(
    _ request: any URLRequestConvertible, named name: String, sha256 hexadecimal: String
  ) throws -> Entry.ID {
    guard let digest = DownloadRequest.digest(hexadecimal) else { throw InvalidChecksum(text: hexadecimal) }
    return try add(request, named: name, digest: DownloadRequest.hexadecimal(digest))
  }

  private func add(
    _ request: any URLRequestConvertible, named name: String, digest: String?
  ) throws -> Entry.ID {
    let request = try request.asURLRequest()
    return try queue.sync {
      let order = try state.withLock { state in
        if state.isClosed { throw DownloadListError.closed }
        if state.items.values.contains(where: { $0.record?.name == name }) {
          throw DownloadListError.nameTaken(name)
        }
        return state.nextOrder
      }
      var record = try DownloadRecord(request, named: name, order: order)
      record.sha256 = digest
      if store.hasFile(named: name) { throw DownloadListError.nameTaken(name) }
      let id = UUID.random()
      try store.write(record, id)
      let entry = Entry(
        id: id, name: name, url: request.url, state: .waiting, fileURL: store.file(named: name))
      state.withLock { state in
        state.nextOrder += 1
        state.order.append(id)
        state.items[id] = Item(entry: entry, record: record)
        state.tell(entry)
      }
      return id
    }
  }

  /// Resumes every download that waits or has failed. How many are under way at once is up to the session
  /// (`URLSessionConfiguration.requestLimit`).
  public func resume() {
    for entry in entries { resume(entry.id) }
  }

  /// Resumes a download that waits or has failed: it goes on with the bytes at hand. One that is still being suspended is
  /// resumed when it waits; others are left alone.
  ///
  /// - Parameter id: The download's identifier.
  public func resume(_ id: Entry.ID) {
    let transfer = state.withLock { state -> DownloadTransfer? in
      guard !state.isClosed, let item = state.items[id], let record = item.record, !item.entry.isCompleted
      else { return nil }
      if item.transfer != nil {
        state.items[id]?.startsAgain = item.isStopping
        return nil
      }
      let transfer = DownloadTransfer(id, record, in: store, on: queue) { [weak self] event in
        self?.note(event, of: id)
      }
      state.items[id]?.transfer = transfer
      state.items[id]?.entry.state = .loading
      if let entry = state.items[id]?.entry { state.tell(entry) }
      return transfer
    }
    guard let transfer else { return }
    queue.async { [session] in transfer.start(over: session) }
  }

  /// Stops every download that is under way; received bytes stay.
  public func suspend() {
    for entry in entries { suspend(entry.id) }
  }

  /// Stops a download that is under way; received bytes stay. It waits soon after.
  ///
  /// - Parameter id: The download's identifier.
  public func suspend(_ id: Entry.ID) {
    let stopping = state.withLock { state -> DownloadTransfer? in
      guard let transfer = state.items[id]?.transfer else { return nil }
      state.items[id]?.isStopping = true
      state.items[id]?.startsAgain = false
      return transfer
    }
    guard let transfer = stopping else { return }
    // Behind its start.
    queue.async { transfer.stop() }
  }

  /// Stops a download and forgets it with all that has come of it; a file that is complete stays. Blocks until it is gone from
  /// the disk.
  ///
  /// - Parameter id: Which.
  /// - Throws: ``DownloadListError/unknownEntry``, ``DownloadListError/storing(reason:)`` or ``DownloadListError/closed``.
  public func remove(_ id: Entry.ID) throws(DownloadListError) {
    let result = queue.sync { Result { () throws(DownloadListError) in try removeNow(id) } }
    for waiter in try result.get() { waiter.resume(throwing: DownloadListError.removed) }
  }

  /// Stops all downloads, and gives the directory free. Received bytes stay. Blocks until nothing is written any
  /// more. A list that goes away closes itself.
  public func close() {
    let (waiters, watchers) = queue.sync { closeNow() }
    for waiter in waiters { waiter.resume(throwing: DownloadListError.closed) }
    for watcher in watchers { watcher.finish() }
  }

  // MARK: On the queue

  private func removeNow(_ id: UUID) throws(DownloadListError) -> [CheckedContinuation<URL, any Error>] {
    let transfer = try state.withLock { (state) throws(DownloadListError) in
      if state.isClosed { throw .closed }
      guard let item = state.items[id] else { throw .unknownEntry }
      return item.transfer
    }
    transfer?.abandon()
    try store.remove(id)
    return state.withLock { state in
      state.order.removeAll { $0 == id }
      guard let item = state.items.removeValue(forKey: id) else { return [] }
      return Array(item.waiters.values)
    }
  }

  private func closeNow() -> ([CheckedContinuation<URL, any Error>], [AsyncStream<Entry>.Continuation]) {
    let (isFirst, transfers) = state.withLock { state -> (Bool, [DownloadTransfer]) in
      defer { state.isClosed = true }
      return (!state.isClosed, state.items.values.compactMap(\.transfer))
    }
    guard isFirst else { return ([], []) }
    for transfer in transfers { transfer.abandon() }
    store.close()
    return state.withLock { state in
      var waiters: [CheckedContinuation<URL, any Error>] = []
      for id in state.order {
        waiters += (state.items[id]?.waiters).map { Array($0.values) } ?? []
        state.items[id]?.waiters = [:]
        if state.items[id]?.transfer.take() != nil { state.items[id]?.entry.state = .waiting }
      }
      defer { state.watchers = [:] }
      return (waiters, Array(state.watchers.values))
    }
  }

  /// A transfer reports the end of its download.
  private func note(_ event: DownloadTransfer.Event, of id: UUID) {
    var answer: Result<URL, any Error>?
    var startsAgain = false
    let waiters = state.withLock { state -> [CheckedContinuation<URL, any Error>] in
      guard var item = state.items[id], item.transfer != nil else { return [] }
      switch event {
      case .moved(let count, let total): (item.entry.receivedBytes, item.entry.totalBytes) = (count, total)
      case .recorded(let record): item.record = record
      case .rests:
        startsAgain = item.startsAgain
        item.end(.waiting)
      case .failed(let error):
        item.end(.failed(error))
        answer = .failure(error)
      case .complete:
        item.end(.completed)
        item.entry.totalBytes = item.entry.receivedBytes
        answer = .success(item.entry.fileURL)
      }
      defer {
        if answer != nil { item.waiters = [:] }
        state.items[id] = item
        state.tell(item.entry)
      }
      return answer == nil ? [] : Array(item.waiters.values)
    }
    if let answer { for waiter in waiters { waiter.resume(with: answer) } }
    if startsAgain { resume(id) }
  }

  // MARK: Reading

  private func read() throws(DownloadListError) {
    var items: [Item] = []
    for id in try store.ids() {
      do throws(DownloadListError) {
        items.append(try item(id, try store.record(id)))
      } catch {
        items.append(damaged(id, error))
      }
    }
    items.sort { left, right in
      let orders = (left.record?.order ?? .max, right.record?.order ?? .max)
      return orders.0 != orders.1 ? orders.0 < orders.1 : left.entry.id.digits < right.entry.id.digits
    }
    var names: Set<String> = []
    for index in items.indices {
      guard let name = items[index].record?.name, !names.insert(name).inserted else { continue }
      items[index] = damaged(
        items[index].entry.id,
        .damaged(file: "\(items[index].entry.id.digits).entry", reason: "its name is another download's"))
    }
    state.withLock { state in
      state.order = items.map(\.entry.id)
      state.nextOrder = (items.compactMap(\.record?.order).max() ?? -1) + 1
      for item in items { state.items[item.entry.id] = item }
    }
  }

  private func item(_ id: UUID, _ read: DownloadRecord) throws(DownloadListError) -> Item {
    var record = read
    // The process before this one was killed while it gave the file its name.
    if record.phase == .finishing {
      do throws(DownloadListError) {
        try DownloadTransfer.name(&record, id, in: store)
      } catch {
        // Something else has the name: resumed, it fails for that reason.
        record.phase = .loading
      }
    }
    var entry = Entry(
      id: id, name: record.name, url: URL(string: record.url),
      state: record.phase == .complete ? .completed : .waiting, fileURL: store.file(named: record.name))
    entry.totalBytes = record.length ?? record.part?.total
    entry.receivedBytes = record.phase == .complete ? record.length ?? 0 : store.partSize(id)
    return Item(entry: entry, record: record)
  }

  private func damaged(_ id: UUID, _ error: DownloadListError) -> Item {
    Item(
      entry: Entry(
        id: id, name: "", url: nil, state: .damaged(error), fileURL: store.file(named: id.digits)))
  }
}

extension DownloadList.Item {
  /// Its transfer is over.
  fileprivate mutating func end(_ state: DownloadList.Entry.State) {
    transfer = nil
    (isStopping, startsAgain) = (false, false)
    entry.state = state
  }
}

extension DownloadList.State {
  fileprivate func tell(_ entry: DownloadList.Entry) {
    for watcher in watchers.values { watcher.yield(entry) }
  }
}
