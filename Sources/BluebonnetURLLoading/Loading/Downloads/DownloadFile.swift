// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetSemantics

/// The file of a download: a new temporary one, or what an earlier download left. Disk I/O may block, so it happens on a queue
/// of its own.
// Unchecked: everything is touched only on the queue, except for what is left alone from then on when `close` has called back (`url`,
// `length` and `file`, which others read, and `remove()`), and the members for the loop, which only its holder touches.
final class DownloadFile: @unchecked Sendable {
  /// The time that a download that has broken off waits for a descriptor to keep its part with, in nanoseconds: its end is
  /// waited for.
  private static let keepingPatience: UInt64 = 10_000_000_000

  private let queue = DispatchQueue(label: "bluebonnet.download")
  /// The URL of the download, for errors.
  private let source: URL?
  private let descriptors: DescriptorWait
  private var file: Place?
  private var failure: URLError?
  private var isClosed = false
  /// The jobs that wait for the file's descriptor, in turn.
  private var waiting: [@Sendable () -> Void] = []
  /// The file is no longer wanted: none is made.
  private var isGivenUp = false
  /// Bytes that are in the file.
  private(set) var length: Int64 = 0
  /// The digest of the file so far, and how many of its bytes are in that; nil where it is not asked for.
  private var hash: (running: RunningDigest, length: Int64)?
  /// The digest of the complete file, where it was asked for. To be asked after `close` has called back.
  private(set) var digest: [UInt8]?

  // MARK: For the loop

  /// The part that the download goes on with, until an answer says that it does not.
  var resumption: Resumption?
  /// Takes the resume data when the download has been ended for them.
  var resumeDataTaker: (@Sendable (Data?) -> Void)?

  /// The URL of the file, once there is one.
  var url: URL? { file?.url }

  /// Whether it is still what an earlier download left. To be asked after `close` has called back.
  var isPart: Bool { if case .part? = file { true } else { false } }

  private enum Place {
    case temporary(TemporaryFiles.Created)
    case part(PartialFiles.Part)

    var url: URL {
      switch self {
      case .temporary(let created): created.url
      case .part(let part): part.url
      }
    }

    var descriptor: Int32 {
      switch self {
      case .temporary(let created): created.descriptor
      case .part(let part): part.descriptor
      }
    }

    /// - Returns: As `close(2)` does.
    @discardableResult
    func close() -> Bool {
      switch self {
      case .temporary(let created): BluebonnetLibc.close(created.descriptor) == 0
      case .part(let part): part.close()
      }
    }
  }

  /// The part that an earlier download left, and its use so far.
  struct Resumption {
    let data: Data
    let record: ResumeRecord
    var answer = Answer.none

    /// The length of the complete file, once that is known.
    var whole: Int64? {
      if case .goesOn(let end, let total) = answer { total ?? end } else { nil }
    }

    enum Answer {
      case none
      /// The rest comes, up to `end`.
      case goesOn(end: Int64, total: Int64?)
      /// The response is about something else, and has a file of its own. The data stay good.
      case setAside
    }
  }

  init(of source: URL?, waitingFor descriptors: DescriptorWait) {
    (self.source, self.descriptors) = (source, descriptors)
  }

  /// Goes on with a part.
  init(
    of source: URL?, _ part: PartialFiles.Part, _ resumption: Resumption,
    waitingFor descriptors: DescriptorWait
  ) {
    (self.source, self.descriptors) = (source, descriptors)
    file = .part(part)
    length = resumption.record.point.offset
    self.resumption = resumption
  }

  deinit {
    guard let file, !isClosed else { return }
    queue.async { file.close() }
  }

  /// Appends `data`, then says on the file's queue whether that went well. After a failure nothing more is written.
  func write(_ data: Data, then done: @escaping @Sendable (URLError?) -> Void) {
    queue.async { [self] in
      whenCreated { [self] in
        if let file, failure == nil { data.withUnsafeBytes { write($0, to: file) } }
        done(failure)
      }
    }
  }

  /// Waits for the writes under way, closes the file, and hands over the first failure.
  ///
  /// - Parameter isNeeded: Whether an empty body is to have a file, too. Unless it is known to be another length, the file
  ///   is complete then.
  func close(isNeeded: Bool, then done: @escaping @Sendable (URLError?) -> Void) {
    let whole = resumption?.whole
    let end: @Sendable () -> Void = { [self] in
      if let file, !isClosed {
        close(file, isComplete: isNeeded && (whole == nil || whole == length))
      }
      done(failure)
    }
    if isNeeded { return queue.async { [self] in whenCreated(end) } }
    giveUp()
    queue.async(execute: end)
  }

  /// The file is no longer wanted: jobs that still wait for a descriptor go on without one.
  func giveUp() {
    queue.async { [self] in
      isGivenUp = true
      endWaiting()
    }
  }

  /// Removes the file, there and then: not in loop context.
  func remove() {
    switch file {
    case nil: break
    case .temporary(let created)?: created.remove()
    case .part(let part)?:
      _ = unlink(part.url.path)
      PartialFiles.leave(part.url)
    }
  }

  /// Removes the file on the file's queue, then goes on there.
  func remove(then done: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      remove()
      done()
    }
  }

  // MARK: Parts

  /// Gives the part up: what comes next is written to a new file. The part stays if `isKept`.
  func leavePart(isKept: Bool) {
    queue.async { [self] in
      guard case .part(let part)? = file else { return }
      if !isKept { remove() }
      part.close()
      file = nil
      length = 0
      if hash != nil { hash = (RunningDigest(), 0) }
    }
  }

  /// Asks for the digest of the complete file. Before anything is written.
  func takeDigest() {
    queue.async { [self] in hash = (RunningDigest(), 0) }
  }

  /// Keeps the received bytes, once the file has been closed, so that it can be gone on with. A part stays one in
  /// any case; anything else goes if nothing can be made of it.
  ///
  /// - Parameters:
  ///   - isAskedFor: Whether the caller has asked for resume data, and so will hardly forget them.
  ///   - data: Makes them, from the part's place and length; nil if it cannot.
  ///   - done: Takes them, on the file's queue.
  func keep(
    isAskedFor: Bool, _ data: @escaping @Sendable (PartLocation, Int64) -> Data?,
    then done: @escaping @Sendable (Data?) -> Void
  ) {
    queue.async { [self] in
      if keep(isAskedFor, waits: true, data, then: done) { return }
      descriptors.retry(on: queue, atMost: Self.keepingPatience) { [self] isInTime in
        keep(isAskedFor, waits: isInTime, data, then: done)
      }
    }
  }

  /// - Parameter waits: Whether it may be tried again later.
  /// - Returns: false if it is to be, since there is no descriptor.
  private func keep(
    _ isAskedFor: Bool, waits: Bool, _ data: (PartLocation, Int64) -> Data?, then done: (Data?) -> Void
  ) -> Bool {
    switch file {
    case nil: done(nil)
    case .part(let part)?: done(data(part.location, length))
    case .temporary(let created)?:
      let base = FileManager.default.temporaryDirectory
      var location: PartLocation?
      do {
        if length > 0 { location = try PartialFiles.keep(created.url, in: base, isAskedFor: isAskedFor) }
      } catch {
        if waits { return false }
      }
      guard let location else {
        remove()
        done(nil)
        return true
      }
      let made = data(location, length)
      if made == nil { PartialFiles.remove(location, in: base) }
      done(made)
    }
    return true
  }

  // MARK: On the queue

  /// Does this behind all that waits, when there is a file, or is not going to be one.
  private func whenCreated(_ job: @escaping @Sendable () -> Void) {
    guard waiting.isEmpty else { return waiting.append(job) }
    if create() { return job() }
    waiting.append(job)
    wait()
  }

  /// - Returns: false if there is no descriptor for it.
  private func create() -> Bool {
    guard file == nil, failure == nil, !isGivenUp else { return true }
    do {
      file = .temporary(try TemporaryFiles.create("Download", in: FileManager.default.temporaryDirectory))
    } catch {
      if error.isDescriptorShortage { return false }
      failure = storing(.cannotCreateFile, error.code.rawValue)
    }
    return true
  }

  private func wait() {
    descriptors.retry(on: queue) { [self] isInTime in
      guard !waiting.isEmpty else { return true }
      if !isInTime {
        failure = storing(.cannotCreateFile, EMFILE)
      } else if !create() {
        return false
      }
      endWaiting()
      return true
    }
  }

  private func endWaiting() {
    for job in waiting { job() }
    waiting = []
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to file: Place) {
    hashPart(of: file)
    let outcome = OpenFile.write(bytes, to: file.descriptor)
    length += Int64(outcome.count)
    if hash != nil {
      hash?.running.add(bytes.bytes.extracting(..<outcome.count))
      hash?.length = length
    }
    if let error = outcome.failure { failure = storing(.cannotWriteToFile, error.code.rawValue) }
  }

  /// The bytes that an earlier download left are hashed before those that come.
  private func hashPart(of place: Place) {
    guard let hash, hash.length < length else { return }
    let isRead = hash.running.add(place.descriptor, from: hash.length, to: length)
    self.hash = isRead ? (hash.running, length) : nil
  }

  private func close(_ place: Place, isComplete: Bool) {
    isClosed = true
    if failure == nil, isComplete {
      hashPart(of: place)
      digest = hash?.running.finish()
    }
    hash = nil
    if failure == nil, isComplete { finish(place) }
    // Some file systems, over a network or with quotas, tell only now that there was no room.
    if !place.close(), failure == nil, errno != EINTR {
      failure = storing(.cannotCloseFile, errno)
    }
  }

  /// All of it is here: it becomes a file of this process's, and then one like any other.
  private func finish(_ place: Place) {
    var created: TemporaryFiles.Created?
    switch place {
    case .temporary(let own): created = own
    case .part(let part):
      created = TemporaryFiles.adopt(
        part.url, part.descriptor, "Download", in: FileManager.default.temporaryDirectory)
      if let created {
        file = .temporary(created)
        PartialFiles.leave(part.url)
      }
    }
    // No other user gets into the directory. Wherever it is moved from here, it is a file like any other.
    if let created, let mode = created.usualMode ?? created.directory.modeOfNewFiles {
      _ = fchmod(created.descriptor, mode)
    }
  }

  private func storing(_ code: URLError.Code, _ errno: Int32) -> URLError {
    .loading(code, url: source, phase: .storing, reason: String(cString: strerror(errno)))
  }
}
