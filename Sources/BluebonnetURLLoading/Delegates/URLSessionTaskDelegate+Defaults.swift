// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

// What a delegate of one task does not implement is asked of the session's, as on Apple's systems.
extension URLSessionTaskDelegate {
  /// Leaves the new task as it is.
  public func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {}

  /// Asks the asynchronous form, in a `Task`.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler:
      @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    Task {
      let (disposition, next) = await self.urlSession(session, task: task, willBeginDelayedRequest: request)
      completionHandler(disposition, next)
    }
  }

  /// Asks the session's delegate, which goes on by default.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
  ) async -> (URLSession.DelayedRequestDisposition, URLRequest?) {
    guard let other = session.taskDelegate(after: self) else { return (.continueLoading, nil) }
    return await withCheckedContinuation { continuation in
      other.urlSession(session, task: task, willBeginDelayedRequest: request) {
        continuation.resume(returning: ($0, $1))
      }
    }
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    session.taskDelegate(after: self)?.urlSession(session, taskIsWaitingForConnectivity: task)
  }

  /// Asks the asynchronous form, in a `Task`.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    Task {
      let answer = await self.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request)
      completionHandler(answer)
    }
  }

  /// Asks the session's delegate, which follows by default.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest? {
    guard let other = session.taskDelegate(after: self) else { return request }
    return await withCheckedContinuation { continuation in
      other.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Asks the asynchronous form, in a `Task`.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    Task {
      let (disposition, credential) = await self.urlSession(session, task: task, didReceive: challenge)
      completionHandler(disposition, credential)
    }
  }

  /// Asks the session's delegate, or the session's form of the session's delegate itself. As on Apple's systems, that form is asked
  /// about the server's trust, client certificates, NTLM and Negotiate only; other challenges get the default handling.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    await withCheckedContinuation { continuation in
      // The session's evaluator of servers' trust must not fall silent because one task has a delegate of its own.
      if let other = session.taskDelegate(after: self) {
        return other.urlSession(session, task: task, didReceive: challenge) {
          continuation.resume(returning: ($0, $1))
        }
      }
      guard challenge.protectionSpace.concernsConnection else {
        return continuation.resume(returning: (.performDefaultHandling, nil))
      }
      urlSession(session, didReceive: challenge) { continuation.resume(returning: ($0, $1)) }
    }
  }

  /// Asks the session's delegate. By default there is none: the upload fails.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    guard let other = session.taskDelegate(after: self) else { return completionHandler(nil) }
    other.urlSession(session, task: task, needNewBodyStream: completionHandler)
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    session.taskDelegate(after: self)?.urlSession(
      session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
      totalBytesExpectedToSend: totalBytesExpectedToSend)
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    session.taskDelegate(after: self)?.urlSession(
      session, task: task, didReceiveInformationalResponse: response)
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveProxyResponse response: HTTPURLResponse
  ) {
    session.taskDelegate(after: self)?.urlSession(session, task: task, didReceiveProxyResponse: response)
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    session.taskDelegate(after: self)?.urlSession(session, task: task, didFinishCollecting: metrics)
  }

  /// Passes it on to the session's delegate, if this is the delegate of a single task.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    session.taskDelegate(after: self)?.urlSession(session, task: task, didCompleteWithError: error)
  }
}
