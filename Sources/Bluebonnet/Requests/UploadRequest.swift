// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import BluebonnetLocks

/// Something that can be uploaded, made anew for every attempt; on the session's ``Session/requestQueue`` if the type is one of
/// yours.
public protocol UploadableConvertible: Sendable {
  /// Makes it.
  ///
  /// - Returns: What to send.
  func createUploadable() throws -> UploadRequest.Uploadable
}

/// A body and the `URLRequest` that it goes with.
public protocol UploadConvertible: UploadableConvertible & URLRequestConvertible {}

// @unchecked: see Request; adds immutable properties and a mutex.
/// A request that sends a body from memory, from a file or from a stream.
public final class UploadRequest: DataRequest, @unchecked Sendable {
  // @unchecked: a stream belongs to its reader, and only the session reads it.
  /// The body of an upload.
  public enum Uploadable: @unchecked Sendable {
    /// Bytes in memory, not copied.
    case data(Data)
    /// A file. It may be removed when the request is over, or another attempt has a file of its own.
    case file(URL, shouldRemove: Bool)
    /// A stream, to be sent once. A body produced while it is sent, by a sequence or by a large form, is shown as a stream of the
    /// library's, too; reading from one takes the body away from the upload.
    case stream(InputStream)
  }

  /// Makes the body and the `URLRequest` of each attempt.
  public let upload: any UploadConvertible
  /// Removes files that are to be removed, when all response handlers have been told.
  public let fileManager: FileManager

  private let body = Locked<Uploadable?>(nil)

  /// The body of the current attempt; made anew for each, from `upload`.
  public var uploadable: Uploadable? {
    get { body.withLock { $0 } }
    set {
      // The old one goes when the lock is free: a stream is the user's, and may ask the request at its end.
      var uploadable = newValue
      body.withLock { swap(&$0, &uploadable) }
    }
  }

  init(
    upload: any UploadConvertible, fileManager: FileManager, session: Session,
    shouldAutomaticallyResume: Bool?
  ) {
    self.upload = upload
    self.fileManager = fileManager
    super.init(convertible: upload, session: session, shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  override var preparesForTask: Bool { true }

  override func prepareForTask() -> Bool {
    do {
      let uploadable = try upload.createUploadable()
      // Each attempt may have a file of its own.
      if case .file(let earlier, shouldRemove: true) = self.uploadable, uploadable.fileURL != earlier {
        try? fileManager.removeItem(at: earlier)
      }
      self.uploadable = uploadable
      context.step { self.observer?.request(self, didCreateUploadable: uploadable) }
      return true
    } catch {
      let reason = error.asAFError(or: .createUploadableFailed(error: error))
      context.step {
        self.fail(with: reason)
        self.observer?.request(self, didFailToCreateUploadableWithError: reason)
        self.retryOrFinish(error: reason)
      }
      return false
    }
  }

  override func task(for request: URLRequest, using session: URLSession) -> URLSessionTask {
    let body: URLSessionTask.Body =
      switch uploadable {
      case .data(let data): .data(data)
      case .file(let url, _): .file(url)
      case .stream(let stream):
        (stream as? StreamedBodyInputStream).map { .produced($0.body) } ?? .streamed
      case nil: .data(Data())
      }
    return session.uploadTask(with: request, body, for: self)
  }

  /// A file that is to be removed stays known: there may be no other attempt.
  override func reset(after error: AFError?) { if !needsCleanup { uploadable = nil } }

  override var needsCleanup: Bool {
    if case .file(_, shouldRemove: true) = uploadable { true } else { false }
  }

  /// Removes the file that was made for this request. Called when all response handlers have been told, or when the file comes
  /// too late for a request that was cancelled.
  public override func cleanup() {
    super.cleanup()
    if case .file(let url, shouldRemove: true) = uploadable { try? fileManager.removeItem(at: url) }
  }

  /// Looking at the stream runs no code of the user's.
  override var hasPlainStream: Bool {
    if case .stream(let stream) = uploadable { type(of: stream) == InputStream.self } else { true }
  }

  /// The stream of the body, once: bytes that have been read cannot be sent again, and a body that is not a
  /// stream has none. The upload fails for want of it then.
  override func inputStream() -> InputStream? {
    guard case .stream(let stream) = uploadable, stream.streamStatus == .notOpen else { return nil }
    observer?.request(self, didProvideInputStream: stream)
    return stream
  }
}

extension UploadRequest.Uploadable {
  fileprivate var fileURL: URL? { if case .file(let url, _) = self { url } else { nil } }
}

extension UploadRequest.Uploadable: UploadableConvertible {
  /// Returns the body itself.
  public func createUploadable() throws -> UploadRequest.Uploadable { self }
}
