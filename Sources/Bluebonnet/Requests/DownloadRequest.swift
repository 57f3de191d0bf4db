// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetSemantics
import BluebonnetURLLoading

// @unchecked: see Request; adds immutable properties and a mutex.
/// A request with its response body in a file.
public final class DownloadRequest: Request, @unchecked Sendable {
  /// The permitted steps for moving the file to its destination.
  public struct Options: OptionSet, Sendable {
    /// Makes the directories above the destination that do not exist. Without it, the request fails where they are
    /// missing.
    public static let createIntermediateDirectories = Options(rawValue: 1 << 0)
    /// Removes a file or link at the destination. Without it, the request fails where there is one. A directory is never
    /// removed: the request fails.
    public static let removePreviousFile = Options(rawValue: 1 << 1)

    /// The options as bits.
    public let rawValue: Int

    /// Makes options of bits, such as `1 << 0` for ``createIntermediateDirectories``.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }
  }

  /// Chooses the destination of a downloaded file. The temporary one is gone soon after.
  ///
  /// Called, and the file moved, on the session's `requestQueue`, or on its `rootQueue` if that was passed; the end of
  /// the request waits for it.
  public typealias Destination =
    @Sendable (
      _ temporaryURL: URL, _ response: HTTPURLResponse
    ) -> (destinationURL: URL, options: Options)

  /// Whether a download begins or is gone on with.
  public enum Downloadable: Sendable {
    /// A new download of what this `URLRequest` asks for.
    case request(any URLRequestConvertible)
    /// The rest of what an earlier download left.
    case resumeData(Data)
  }

  /// Whether the download begins or is gone on with, and of what.
  public let downloadable: Downloadable
  /// `nil` stands for a name of the library's beside the temporary file.
  let destination: Destination?

  private struct FileState {
    var fileURL: URL?
    /// No destination was named.
    var isUnnamed = false
    var resumeData: Data?
    /// The data that the next attempt goes on with.
    var earlier: Data?
    /// The caller has cancelled in order to go on later.
    var isAskedFor = false
  }

  private let file = Locked(FileState())
  /// The digest that the file has to have; nil for any.
  let expectedDigest = Locked<[UInt8]?>(nil)

  /// The data to go on with the download later, in this process or another one; `nil` unless it broke off, or was
  /// cancelled for it, and can be gone on with.
  ///
  /// It can if something had come of a plain GET, and the response has a strong validator (RFC 9110 §8.8.1), no content coding
  /// and no `Accept-Ranges: none`. The data hold the request with its fields: keep them where you would keep those. The received
  /// bytes lie in the directory for temporary files for a week; of the downloads that failed, the newest 64 of a process.
  public var resumeData: Data? {
    resumeData(after: error)
  }
  /// The file's URL, once it has been moved.
  public var fileURL: URL? { file.withLock { $0.fileURL } }

  private func resumeData(after error: AFError?) -> Data? {
    if let kept = file.withLock({ $0.resumeData }) { return kept }
    return error.flatMap { $0.downloadResumeData ?? untouchedData }
  }

  /// The resume data of an attempt that came to its end without a task, or with a response that has nothing to do with them. They stay
  /// good: where a part is gone, the download starts over.
  private var untouchedData: Data? {
    let (hasTask, isCancelled) = protected.withLock { state in
      (state.life.attemptHasTask, state.life.state == .cancelled)
    }
    if hasTask {
      guard let status = response?.statusCode, !ResumePoint.isConcerned(by: status) else { return nil }
    }
    let (earlier, isAskedFor) = file.withLock { ($0.earlier, $0.isAskedFor) }
    guard !isCancelled || isAskedFor else { return nil }
    if let earlier { return earlier }
    return if case .resumeData(let data) = downloadable { data } else { nil }
  }

  /// - Parameter earlier: What an earlier download left, to go on with by another request.
  init(
    downloadable: Downloadable, earlier: Data? = nil, destination: Destination?, session: Session,
    shouldAutomaticallyResume: Bool?
  ) {
    self.downloadable = downloadable
    self.destination = destination
    let source: Source =
      switch downloadable {
      case .request(let convertible): .convertible(convertible)
      case .resumeData(let data): .resumeData(data)
      }
    super.init(
      source: source, session: session, shouldAutomaticallyResume: shouldAutomaticallyResume)
    if let earlier { file.withLock { $0.earlier = earlier } }
  }

  override func task(for request: URLRequest, using session: URLSession) -> URLSessionTask {
    guard let earlier = file.withLock({ $0.earlier }) else {
      return takingDigest(session.downloadTask(with: request, for: self))
    }
    return takingDigest(session.downloadTask(with: request, resumeData: earlier, for: self))
  }

  /// The resume data for an attempt: those of the attempt before, if it came further.
  func latestResumeData(_ data: Data) -> Data { file.withLock { $0.earlier } ?? data }

  /// Makes the task that goes on with what an earlier download left.
  ///
  /// - Parameters:
  ///   - data:    What it left.
  ///   - session: Makes the task.
  /// - Returns: The task.
  public func task(forResumeData data: Data, using session: URLSession) -> URLSessionTask {
    takingDigest(session.downloadTask(withResumeData: data))
  }

  /// The received bytes can be gone on with, as after any other loss.
  override func stopAtDeadline(_ task: URLSessionTask) {
    guard let task = task as? URLSessionDownloadTask else { return task.cancel() }
    task.cancel { self.keep($0) }
  }

  /// An attempt that broke off is gone on with by the next one, if the server plays along. Its file goes, or the next one's could not be
  /// moved there.
  override func reset(after error: AFError?) {
    let left = resumeData(after: error)
    remove(fileURL) {}
    file.withLock { $0 = FileState(earlier: left ?? $0.earlier, isAskedFor: $0.isAskedFor) }
  }

  /// A file without a destination goes with the attempt that failed.
  override func discardOutput(then go: @escaping @Sendable () -> Void) {
    remove(file.withLock { $0.isUnnamed ? $0.fileURL.take() : nil }, then: go)
  }

  private func remove(_ url: URL?, then go: @escaping @Sendable () -> Void) {
    guard let url else { return go() }
    context.userCode {
      try? FileManager.default.removeItem(at: url)
      go()
    }
  }

  override func validationSubject(_ data: Data?) -> Validator.Subject { .file(fileURL) }

  override func announceValidation(
    of request: URLRequest?, _ response: HTTPURLResponse, _ subject: Validator.Subject,
    _ result: ValidationResult
  ) {
    guard case .file(let url) = subject else { return }
    observer?.request(
      self, didValidateRequest: request, response: response, fileURL: url, withResult: result)
  }

  // MARK: The file

  override func updateDownloadProgress(written: Int64, expected: Int64) {
    protected.withLock { $0.download.update(completed: written, total: expected) }
  }

  /// The body is complete in a file that does not live longer than this call. Asks for the destination (the user's
  /// code), and moves the file.
  override func takeFile(at location: URL, of task: URLSessionTask, using fileManager: FileManager) {
    if let error = objection(to: location, of: task) {
      observer?.request(self, didFinishDownloadingUsing: task, with: .failure(error))
      return fail(with: error)
    }
    let source = FilePlace(location)
    let named = namedPlace(for: source, task.response as? HTTPURLResponse)
    let result = move(
      source, to: named?.place ?? FilePlace(Self.besideTemporaryFile(location)),
      options: named?.options ?? [], using: fileManager)
    observer?.request(self, didFinishDownloadingUsing: task, with: result)
    switch result {
    case .success(let url):
      file.withLock { ($0.fileURL, $0.isUnnamed) = (url, named == nil) }
    case .failure(let error): fail(with: error)
    }
  }

  /// The place that the user has named; nil for none.
  private func namedPlace(
    for source: FilePlace, _ response: HTTPURLResponse?
  ) -> (place: FilePlace, options: Options)? {
    guard let destination, let response else { return nil }
    let (url, options) = destination(source.url, response)
    let place = FilePlace(url)
    // To leave the file where it is means to keep it, but not under the name that is removed in a moment.
    return FilePlace.areSame(place, source) ? nil : (place, options)
  }

  private func move(
    _ source: FilePlace, to place: FilePlace, options: Options, using fileManager: FileManager
  ) -> Result<URL, AFError> {
    let url = place.url
    observer?.request(self, didCreateDestinationURL: url)
    do {
      if options.contains(.removePreviousFile) {
        // A manager of the user's is asked about each step.
        if fileManager.isPlain, place.takes(source) { return .success(url) }
        if let previous = place.kind {
          // A directory named by mistake would lose all its contents.
          guard previous != .directory else { throw POSIXError(.EISDIR) }
          try fileManager.removeItem(at: url)
        }
      }
      if options.contains(.createIntermediateDirectories) {
        try fileManager.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      try fileManager.moveItem(at: source.url, to: url)
      return .success(url)
    } catch {
      return .failure(.downloadedFileMoveFailed(error: error, source: source.url, destination: url))
    }
  }

  private static func besideTemporaryFile(_ location: URL) -> URL {
    location.deletingLastPathComponent()
      .appendingPathComponent("Alamofire_\(location.lastPathComponent)", isDirectory: false)
  }

  override func willForget(_ error: AFError) { keep(error.downloadResumeData) }

  /// An end without data takes none away: there may be those of an end that came first.
  ///
  /// - Returns: Those that there are.
  @discardableResult
  fileprivate func keep(_ resumeData: Data?) -> Data? {
    file.withLock { file in
      if let resumeData { file.resumeData = resumeData }
      return file.resumeData
    }
  }
}

extension DownloadRequest {
  /// Keeps a file under the name the server suggests, or where it is if there is no such directory.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - domain:    The directory's domain.
  ///   - options:   The permitted steps for moving the file there.
  /// - Returns: The destination.
  public class func suggestedDownloadDestination(
    for directory: FileManager.SearchPathDirectory = .documentDirectory,
    in domain: FileManager.SearchPathDomainMask = .userDomainMask, options: Options = []
  ) -> Destination {
    { temporaryURL, response in
      let suggested = response.suggestedFilename?.shortenedFileName ?? ""
      // Without a name, this would be the directory itself.
      let name = suggested.isEmpty ? temporaryURL.lastPathComponent : suggested
      let url = FileManager.default.urls(for: directory, in: domain).first?
        .appendingPathComponent(name, isDirectory: false)
      return (url ?? temporaryURL, options)
    }
  }

  /// Cancels, and keeps the data to go on later if told so. They can be found in ``resumeData`` and in
  /// the response, when the request is over.
  ///
  /// - Parameter shouldProduceResumeData: Whether to keep them; else the received bytes are removed.
  /// - Returns: The request.
  @discardableResult
  public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
    shouldProduceResumeData ? cancelResumably(nil) : cancel()
  }

  /// Cancels, and hands over the data to go on later.
  ///
  /// - Parameter completionHandler: Takes them; `nil` where ``resumeData`` is. Called on the session's
  ///   `requestQueue`, or on its `rootQueue` if that was passed; not called for a request that is over, or has no task yet.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func cancel(
    byProducingResumeData completionHandler: @escaping @Sendable (_ data: Data?) -> Void
  ) -> Self {
    cancelResumably(completionHandler)
  }

  private func cancelResumably(_ completionHandler: (@Sendable (Data?) -> Void)?) -> Self {
    file.withLock { $0.isAskedFor = true }
    // Before the response handlers, on whatever queue they are.
    let gate = completionHandler.map { _ in ProgressBarrier(queue: context.requestQueue, holdsAll: true) }
    if let gate { protected.withLock { $0.gates.append(gate) } }
    return endEarly { task in
      guard let task = task as? URLSessionDownloadTask else { return task.cancel() }
      task.cancel { resumeData in
        let resumeData = self.keep(resumeData)
        guard let completionHandler, let gate else { return }
        // Where the caller chose the queues, this is one of them already.
        if self.context.isOnLoop {
          gate.report { completionHandler(resumeData) }
        } else {
          completionHandler(resumeData)
        }
      }
    }
  }
}

extension FileManager {
  /// Whether it does what it does without code of the user's.
  fileprivate var isPlain: Bool { type(of: self) == FileManager.self && delegate == nil }
}

extension String {
  /// A name that file systems take: at most 255 bytes, with the extension that it has.
  var shortenedFileName: String {
    let limit = 255
    guard utf8.count > limit else { return self }
    // What takes half of the name is no extension.
    let dot = utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { self[$0...].utf8.count <= limit / 2 ? $0 : nil }
    let suffix = self[(dot ?? endIndex)...]
    var end = utf8.index(startIndex, offsetBy: limit - suffix.utf8.count)
    // A character may have any number of scalars, so it is these that are left whole.
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end] + suffix)
  }
}

extension AFError {
  /// The data to go on with the download that failed, if it can be gone on with.
  public var downloadResumeData: Data? {
    (underlyingError as? URLError)?.errorUserInfo[NSURLSessionDownloadTaskResumeData] as? Data
  }
}
