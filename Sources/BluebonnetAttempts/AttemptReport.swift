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

  /// The address that redirects have led to; nil without one. Other steps change a task's request, too: user information is
  /// taken out of its URL.
  package var finalURL: URL? {
    guard metrics?.redirectCount ?? 0 > 0, let first = task.originalRequest?.url,
      let last = task.currentRequest?.url,
      RedactedURL(first.absoluteString).short != RedactedURL(last.absoluteString).short
    else { return nil }
    return last
  }

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
