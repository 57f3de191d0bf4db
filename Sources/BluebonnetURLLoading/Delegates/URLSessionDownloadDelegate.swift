// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Hears what concerns download tasks, on the session's `delegateQueue`. All methods but the first are optional.
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
  /// The body is in a file, to be deleted when this returns.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)

  /// A part of the body has been written.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)

  /// The download goes on where an earlier one ended: `fileOffset` bytes of `expectedTotalBytes` are there, or of
  /// `NSURLSessionTransferSizeUnknown`. Not called for one that starts over.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64)
}

extension URLSessionDownloadDelegate {
  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    session.downloadDelegate(after: self)?.urlSession(
      session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
      totalBytesExpectedToWrite: totalBytesExpectedToWrite)
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    session.downloadDelegate(after: self)?.urlSession(
      session, downloadTask: downloadTask, didResumeAtOffset: fileOffset,
      expectedTotalBytes: expectedTotalBytes)
  }
}
