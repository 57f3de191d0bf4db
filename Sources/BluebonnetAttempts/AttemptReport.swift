// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation

/// An attempt that is over.
package struct AttemptReport: Sendable {
  package let task: URLSessionTask
  /// 1 for the first attempt.
  package let number: Int
  package let response: HTTPURLResponse?
  /// The error of the transport, of a validator, or of a cancellation.
  package let error: AFError?
  package let metrics: URLSessionTaskMetrics?

  /// The address that redirects have led to; nil without one. Other steps change a task's request, too.
  package var finalURL: URL? { metrics?.redirectCount ?? 0 > 0 ? task.movedURL : nil }

  /// Seconds from the making of the task to its end.
  package var duration: TimeInterval? { metrics?.taskInterval.duration }

  /// Bytes of bodies on the wire, those of redirects and challenges included.
  package var sentBytes: Int64 { sum(\.countOfRequestBodyBytesSent) }
  /// Bytes of bodies on the wire, those of redirects and challenges included.
  package var receivedBytes: Int64 { sum(\.countOfResponseBodyBytesReceived) }

  private func sum(_ count: KeyPath<URLSessionTaskTransactionMetrics, Int64>) -> Int64 {
    metrics?.transactionMetrics.reduce(0) { $0 + $1[keyPath: count] } ?? 0
  }
}

extension URLSessionTask {
  /// The address of the current request; nil where it would be shown as that of the first: user information, for one, is taken out
  /// of a URL.
  var movedURL: URL? {
    guard let first = originalRequest?.url, let last = currentRequest?.url, first != last,
      RedactedURL(first.absoluteString).short != RedactedURL(last.absoluteString).short
    else { return nil }
    return last
  }
}
