// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

// Unchecked: see URLSessionTask.
/// A load with its body in a file.
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
  let contentDigest = Locked(ContentDigest())

  /// The resume data of an earlier download.
  package var resumeData: Data? { body.resumption?.data }

  init(_ origins: Origins, request: URLRequest?, goingOnWith earlier: ResumedDownload? = nil) {
    super.init(origins, request: request, body: earlier.map { .resumption($0) } ?? .ofRequest)
  }

  /// Ends the download and hands over the data needed to go on with it. Works.
  ///
  /// The handler gets nil if nothing has been received yet, or if it cannot be gone on with: the request was no plain GET, or
  /// the response had no strong validator (RFC 9110 §8.8.1), a content coding, or `Accept-Ranges: none`. It is called on the
  /// session's `delegateQueue`, before the task completes with `URLError.cancelled`.
  ///
  /// The data hold the request with its fields: keep them where you would keep those. The received bytes lie in a file that
  /// they name, in the directory for temporary files. It outlives the process, and is removed when it was not gone on with
  /// for a week.
  open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    guard let driver = beginCancelling() else {
      return session.userExecutor.async { completionHandler(nil) }
    }
    driver.cancel(byProducingResumeData: completionHandler)
  }

  /// Ends the download and returns the data needed to go on with it. Works: see
  /// ``cancel(byProducingResumeData:)``.
  open func cancelByProducingResumeData() async -> Data? {
    await withCheckedContinuation { continuation in
      cancel { continuation.resume(returning: $0) }
    }
  }
}

/// The key in a `URLError`'s user info under which a broken download keeps what it needs to go on.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"
