import BluebonnetFoundation

// Unchecked: see URLSessionTask.
/// A load whose body goes to a file.
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
  /// What an earlier download left to go on with.
  package let resumeData: Data?

  init(_ origins: Origins, request: URLRequest?, resumeData: Data?) {
    self.resumeData = resumeData
    super.init(origins, request: request, body: .ofRequest)
  }

  /// Ends the download and hands over what is needed to go on with it. Refused for now: downloads are not resumed, so the
  /// handler gets nil.
  open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    guard let driver = beginCancelling() else { return completionHandler(nil) }
    driver.cancel(byProducingResumeData: completionHandler)
  }

  /// Ends the download and returns what is needed to go on with it. Refused for now: downloads are not resumed, so it is
  /// nil.
  open func cancelByProducingResumeData() async -> Data? {
    await withCheckedContinuation { continuation in
      cancel { continuation.resume(returning: $0) }
    }
  }
}
