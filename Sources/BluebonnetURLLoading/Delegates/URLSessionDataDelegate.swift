// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// Hears what concerns data and upload tasks, on the session's `delegateQueue`. All methods are optional.
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  /// The head of the response has arrived; the body waits for the answer.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)

  /// The asynchronous form of the question about the response.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition

  /// The task goes on as a download, because the delegate has answered `.becomeDownload`: nothing more is heard of the
  /// data task. Works.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask)

  /// A part of the body has arrived.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

  /// The response could be kept. `nil` keeps it out of the cache.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void)

  /// The asynchronous form of the question about the cache.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  ) async -> CachedURLResponse?
}

extension URLSessionDataDelegate {
  /// Asks the asynchronous form, in a `Task`.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    Task {
      let answer = await self.urlSession(session, dataTask: dataTask, didReceive: response)
      completionHandler(answer)
    }
  }

  /// Asks the session's delegate, which goes on by default.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition {
    guard let other = session.dataDelegate(after: self) else { return .allow }
    return await withCheckedContinuation { continuation in
      other.urlSession(session, dataTask: dataTask, didReceive: response) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
  ) {
    session.dataDelegate(after: self)?.urlSession(session, dataTask: dataTask, didBecome: downloadTask)
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    session.dataDelegate(after: self)?.urlSession(session, dataTask: dataTask, didReceive: data)
  }

  /// Asks the asynchronous form, in a `Task`.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    Task {
      let answer = await self.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse)
      completionHandler(answer)
    }
  }

  /// Asks the session's delegate, which keeps it by default.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  ) async -> CachedURLResponse? {
    guard let other = session.dataDelegate(after: self) else { return proposedResponse }
    return await withCheckedContinuation { continuation in
      other.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse) {
        continuation.resume(returning: $0)
      }
    }
  }
}
