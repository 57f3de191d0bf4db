// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What a download delegate hears.
final class DownloadWitness: URLSessionDownloadDelegate {
  struct Record: Sendable {
    /// Where it went on, and of how much.
    var resumptions: [[Int64]] = []
    /// Written and expected, in all.
    var counts: [[Int64]] = []
    var contents: Data?
    var error: URLError?
    var isComplete = false
  }

  private let state = Locked(Record())
  var record: Record { state.withLock { $0 } }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    state.withLock { $0.resumptions.append([fileOffset, expectedTotalBytes]) }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    state.withLock { $0.counts.append([totalBytesWritten, totalBytesExpectedToWrite]) }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let contents = try? Data(contentsOf: location)
    state.withLock { $0.contents = contents }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    state.withLock {
      $0.error = error as? URLError
      $0.isComplete = true
    }
  }

  /// The end of a download.
  func end() async -> Record {
    await Eventually.expect("It ends.") { self.record.isComplete }
    return record
  }
}

extension URLError {
  var resumeData: Data? { errorUserInfo[NSURLSessionDownloadTaskResumeData] as? Data }
}
