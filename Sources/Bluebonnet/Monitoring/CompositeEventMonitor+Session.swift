// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension CompositeEventMonitor {
  /// Tells every monitor, on its own queue, that the `URLSession` is invalid and its last task over.
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    tell { $0.urlSession(session, didBecomeInvalidWithError: error) }
  }

  /// Tells every monitor, on its own queue, that a challenge came, before it is answered.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) {
    tell { $0.urlSession(session, task: task, didReceive: challenge) }
  }

  /// Tells every monitor, on its own queue, that a part of the request's body was sent.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    tell {
      $0.urlSession(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
    }
  }

  /// Tells every monitor, on its own queue, that a streamed upload needs its body.
  public func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {
    tell { $0.urlSession(session, taskNeedsNewBodyStream: task) }
  }

  /// Tells every monitor, on its own queue, that the server answered with a redirect, before it is followed.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) {
    tell { $0.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request) }
  }

  /// Tells every monitor, on its own queue, that the measurements of a task are complete.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    tell { $0.urlSession(session, task: task, didFinishCollecting: metrics) }
  }

  /// Tells every monitor, on its own queue, that a task is over.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    tell { $0.urlSession(session, task: task, didCompleteWithError: error) }
  }

  /// Tells every monitor, on its own queue, that a task waits for a network.
  public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    tell { $0.urlSession(session, taskIsWaitingForConnectivity: task) }
  }

  /// Tells every monitor, on its own queue, that the head of the response arrived.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) {
    tell { $0.urlSession(session, dataTask: dataTask, didReceive: response) }
  }

  /// Tells every monitor, on its own queue, that a part of the response's body arrived.
  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    tell { $0.urlSession(session, dataTask: dataTask, didReceive: data) }
  }

  /// Tells every monitor, on its own queue, that a response is about to be stored.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  ) {
    tell { $0.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse) }
  }

  /// Tells every monitor, on its own queue, that a download goes on where an earlier one stopped.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    tell {
      $0.urlSession(
        session, downloadTask: downloadTask, didResumeAtOffset: fileOffset,
        expectedTotalBytes: expectedTotalBytes)
    }
  }

  /// Tells every monitor, on its own queue, that a part of a download was written to its file.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    tell {
      $0.urlSession(
        session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
        totalBytesExpectedToWrite: totalBytesExpectedToWrite)
    }
  }

  /// Tells every monitor, on its own queue, that a download is complete in its temporary file.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    tell { $0.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location) }
  }
}
