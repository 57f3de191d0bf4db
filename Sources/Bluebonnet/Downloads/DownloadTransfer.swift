// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLibc
import BluebonnetLocks
import BluebonnetSemantics
import BluebonnetURLLoading

/// Brings one download of a list to its end, over as many attempts as its request makes. Runs the actions of its
/// `PartialDownload`.
///
/// Everything that touches the disk happens on the list's queue, one piece after the other.
final class DownloadTransfer: RequestAdapter {
  /// The events for the list, on its queue.
  enum Event: Sendable {
    case moved(Int64, of: Int64?)
    case recorded(DownloadRecord)
    /// It was stopped.
    case rests
    case failed(any Error)
    case complete
  }

  private struct State {
    var record: DownloadRecord
    var partial: PartialDownload
    /// The bytes received; nil before and after.
    var file: OpenFile?
    var request: DataStreamRequest?
    /// Why it ends, where the request does not know better.
    var fault: DownloadListError?
    var isStopped = false
    var isOver = false
  }

  /// The interval in bytes after which they are put on the disk, so that a power failure costs no more.
  private static let syncedEvery: Int64 = 32 << 20

  private let id: UUID
  private let directory: DownloadDirectory
  private let queue: DispatchQueue
  private let tell: @Sendable (Event) -> Void
  private let state: Locked<State>

  init(
    _ id: UUID, _ record: DownloadRecord, in directory: DownloadDirectory, on queue: DispatchQueue,
    tell: @escaping @Sendable (Event) -> Void
  ) {
    (self.id, self.directory, self.queue, self.tell) = (id, directory, queue, tell)
    state = Locked(State(record: record, partial: PartialDownload(length: 0, total: nil, validator: nil)))
  }

  // MARK: From the list, on its queue

  /// Looks for earlier bytes, and asks for the rest.
  func start(over session: Session) {
    do throws(DownloadListError) {
      let request = try state.withLock { (state) throws(DownloadListError) -> URLRequest? in
        // Removed, or the list is closed.
        if state.isOver { return nil }
        try open(&state)
        return state.record.request
      }
      guard let request else { return }
      tellProgress()
      if state.withLock({ $0.partial.isWhole }) { return try check() }
      ask(request, over: session)
    } catch {
      end(with: .failed(error))
    }
  }

  private func ask(_ asked: URLRequest, over session: Session) {
    let request = session.streamRequest(asked, shouldAutomaticallyResume: false).adapt(using: self)
    let isWanted = state.withLock { state -> Bool in
      state.request = state.isOver ? nil : request
      return !state.isOver
    }
    guard isWanted else { return }
    request
      .validate { [self] _, _ in judge() }
      .onHTTPResponse(on: queue) { [self] response, answer in answer(begin(response)) }
      .responseStream(on: queue) { [self] stream in
        switch stream.event {
        case .stream(.success(let data)): try take(data)
        case .complete(let completion): end(completion.error, over: session)
        }
      }
      .resume()
  }

  /// Stops; received bytes stay. The list is told.
  func stop() {
    let request = state.withLock { state in
      state.isStopped = true
      return state.request
    }
    request?.cancel()
  }

  /// Stops at once and touches nothing any more. The list is told nothing.
  func abandon() {
    let request = state.withLock { state in
      state.file = nil
      state.isOver = true
      return state.request.take()
    }
    request?.cancel()
  }

  // MARK: The file

  private func open(_ state: inout State) throws(DownloadListError) {
    let file = try directory.openPart(id)
    state.file = file
    guard let size = DownloadDirectory.size(of: file) else { throw .storing(reason: "the part is gone") }
    let part = state.record.part
    // After a power failure a file may be longer than its true contents.
    let isSameRun = part?.boot != nil && part?.boot == DownloadDirectory.boot
    state.partial = PartialDownload(
      length: isSameRun ? size : min(size, part?.synced ?? 0), total: part?.total,
      validator: state.record.validator)
    try cut(state)
    // What comes from here on is written in this run of the machine.
    if !isSameRun, state.partial.length > 0 { try save(&state, synced: state.partial.length) }
  }

  /// Leaves as much in the file as there is of the download.
  private func cut(_ state: State) throws(DownloadListError) {
    let length = off_t(state.partial.length)
    guard let file = state.file?.descriptor, ftruncate(file, length) == 0,
      lseek(file, length, SEEK_SET) == length
    else { throw .storing() }
  }

  private func save(_ state: inout State, synced: Int64) throws(DownloadListError) {
    if state.partial.validator != state.record.validator { state.record.validator = state.partial.validator }
    state.record.part?.total = state.partial.total
    state.record.part?.synced = synced
    state.record.part?.boot = DownloadDirectory.boot
    try directory.write(state.record, id)
    tell(.recorded(state.record))
  }

  // MARK: One attempt, on the queue

  /// The head of a response.
  private func begin(_ response: HTTPURLResponse) -> Request.ResponseDisposition {
    let length = response.expectedContentLength
    let goesOn = state.withLock { state -> Bool in
      guard !state.isOver else { return false }
      let action = state.partial.received(
        status: response.statusCode, response.fields, contentLength: length >= 0 ? length : nil,
        requestFields: state.record.request?.headerFields ?? HeaderFields(),
        now: Int(Date().timeIntervalSince1970))
      do throws(DownloadListError) {
        switch action {
        case .append, .ignore: return true
        case .startOver, .again:
          // Emptied before the record says what comes: the two never contradict each other.
          try cut(state)
          try save(&state, synced: 0)
          // What comes may be long, and is of no use.
          return action == .startOver
        }
      } catch {
        state.fault = error
        return false
      }
    }
    tellProgress()
    return goesOn ? .allow : .cancel
  }

  private func take(_ data: Data) throws {
    try state.withLock { state in
      guard !state.isOver, state.fault == nil else { return }
      do throws(DownloadListError) {
        guard let count = state.partial.received(data.count) else {
          throw .mismatch(reason: "more came than was announced")
        }
        if count == 0 { return }
        guard let file = state.file?.descriptor else { return }
        let failure = data.withUnsafeBytes { OpenFile.write($0, to: file).failure?.code.rawValue }
        if let failure { throw .storing(failure) }
        let synced = state.record.part?.synced ?? .max
        if state.partial.length - Self.syncedEvery >= synced {
          guard fdatasync(file) == 0 else { throw .storing() }
          try save(&state, synced: state.partial.length)
        }
      } catch {
        state.fault = error
        throw error
      }
    }
    tellProgress()
  }

  private func tellProgress() {
    let (length, total) = state.withLock { ($0.partial.length, $0.partial.total) }
    tell(.moved(length, of: total))
  }

  /// Whether a response that has ended is one to be content with.
  private func judge() -> DataStreamRequest.ValidationResult {
    switch state.withLock({ $0.partial.verdict }) {
    case .good: .success(())
    case .status(let status):
      .failure(AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: status)))
    case .again: .failure(DownloadListError.mismatch(reason: "it is of something else"))
    case .mismatch(let reason): .failure(DownloadListError.mismatch(reason: reason))
    }
  }

  // MARK: The end, on the queue

  private func end(_ error: AFError?, over session: Session) {
    let again = state.withLock { state in
      state.isOver || state.isStopped || state.fault != nil || state.partial.verdict != .again
        ? nil : state.record.request
    }
    // This time without a part, so it does not come here again.
    if let again { return ask(again, over: session) }
    let event = state.withLock { state -> Event? in
      if state.isOver { return .rests }
      if let fault = state.fault { return .failed(fault) }
      if state.isStopped, error?.isExplicitlyCancelledError ?? false { return .rests }
      if let error { return .failed(error.ownReason ?? error) }
      return state.partial.shortfall().map { .failed(DownloadListError.mismatch(reason: $0)) }
    }
    if let event { return end(with: event) }
    do throws(DownloadListError) { try check() } catch { end(with: .failed(error)) }
  }

  private func end(with event: Event) {
    let isFirst = state.withLock { state -> Bool in
      defer { state.isOver = true }
      state.file = nil
      // It keeps the handlers, which keep this.
      state.request = nil
      return !state.isOver
    }
    if isFirst { tell(event) }
  }

  /// Whole files are read for their digests one after the other: several at once would only slow the disk down.
  static let digests = DispatchQueue(label: "bluebonnet.downloads.digests", qos: .utility)

  /// All of it is there: gives it its name, if it has the digest that it should have.
  private func check() throws(DownloadListError) {
    let (expected, whole, length) = state.withLock { ($0.record.sha256, $0.file, $0.partial.length) }
    guard let expected, let whole else { return try complete() }
    // Reading a large file takes seconds, and the queue is the whole list's. The file stays open meanwhile, whatever ends.
    Self.digests.async { [self] in
      let digest = RunningDigest()
      let isRead = digest.add(whole.descriptor, from: 0, to: length) { !isStopping }
      let actual = digest.finish().map(DownloadRequest.hexadecimal)
      queue.async { [self] in
        if isStopping { return end(with: .rests) }
        do throws(DownloadListError) {
          guard isRead else { throw .storing(reason: "the part cannot be read") }
          if actual == expected { return try complete() }
          try refuse(
            ChecksumMismatch(
              expected: expected, actual: actual, obstacle: actual == nil ? ChecksumMismatch.policy : nil))
        } catch {
          end(with: .failed(error))
        }
      }
    }
  }

  private var isStopping: Bool { state.withLock { $0.isOver || $0.isStopped } }

  /// Gives the file its name. A process that is killed on the way goes on here.
  private func complete() throws(DownloadListError) {
    try state.withLock { (state) throws(DownloadListError) in
      guard let file = state.file, fsync(file.descriptor) == 0 else { throw .storing() }
      state.record.phase = .finishing
      state.record.length = state.partial.length
      try directory.write(state.record, id)
      try Self.name(&state.record, id, in: directory)
      tell(.recorded(state.record))
    }
    end(with: .complete)
  }

  /// The file has another digest. It is emptied: the next attempt starts over. A file without a known digest stays.
  private func refuse(_ mismatch: ChecksumMismatch) throws(DownloadListError) {
    if mismatch.actual != nil {
      try state.withLock { (state) throws(DownloadListError) in
        state.partial = PartialDownload(length: 0, total: nil, validator: nil)
        try cut(state)
        try save(&state, synced: 0)
      }
      tellProgress()
    }
    end(
      with: .failed(AFError.responseValidationFailed(reason: .customValidationFailed(error: mismatch))))
  }

  /// Gives the complete file its name.
  static func name(
    _ record: inout DownloadRecord, _ id: UUID, in directory: DownloadDirectory
  ) throws(DownloadListError) {
    try directory.finish(id, named: record.name)
    record.phase = .complete
    record.part = nil
    try directory.write(record, id)
  }

  // MARK: RequestAdapter

  /// Each attempt asks for the bytes missing by then, behind all that the one before has received.
  func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    queue.async { [self] in
      let fields = state.withLock { $0.partial.begin() }
      var request = urlRequest
      for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
      completion(.success(request))
    }
  }
}

extension AFError {
  /// An objection of the list itself.
  fileprivate var ownReason: DownloadListError? { underlyingError as? DownloadListError }
}
