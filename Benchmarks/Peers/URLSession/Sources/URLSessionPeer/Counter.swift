// SPDX-License-Identifier: MIT
import Foundation
import FoundationNetworking

/// Counts the bytes of one download at a time and drops them.
///
/// `@unchecked Sendable`: every access to the two variables holds `lock`.
final class Counter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var bytes = 0
  private var continuation: CheckedContinuation<Int, any Error>?

  func expect(_ continuation: CheckedContinuation<Int, any Error>) {
    lock.withLock {
      bytes = 0
      self.continuation = continuation
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    lock.withLock { bytes += data.count }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (waiting, total) = lock.withLock { (continuation.take(), bytes) }
    if let error { waiting?.resume(throwing: error) } else { waiting?.resume(returning: total) }
  }
}
