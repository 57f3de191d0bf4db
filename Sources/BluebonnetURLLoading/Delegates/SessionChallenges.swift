// SPDX-License-Identifier: MIT

/// Speaks for a delegate that hears of whole sessions only: it is asked about servers all the same.
///
/// Without this a delegate that evaluates certificates, and implements nothing else, would never be heard.
final class SessionChallenges: URLSessionTaskDelegate {
  let delegate: any URLSessionDelegate

  private init(_ delegate: any URLSessionDelegate) { self.delegate = delegate }

  /// The delegate that a session's tasks talk to.
  static func taskDelegate(for delegate: (any URLSessionDelegate)?) -> (any URLSessionTaskDelegate)? {
    guard let delegate else { return nil }
    return delegate as? any URLSessionTaskDelegate ?? SessionChallenges(delegate)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // As on Apple's systems.
    guard challenge.protectionSpace.concernsConnection else {
      return completionHandler(.performDefaultHandling, nil)
    }
    delegate.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
  }
}

extension URLSession {
  /// The delegate for calls that a task's own does not implement: the session's, unless it is the same one.
  func taskDelegate(after delegate: any URLSessionTaskDelegate) -> (any URLSessionTaskDelegate)? {
    let sessions = state.withLock { $0.delegate }
    guard let sessions, sessions !== delegate, !(delegate is SessionChallenges) else { return nil }
    return SessionChallenges.taskDelegate(for: sessions)
  }

  /// The same for data tasks.
  func dataDelegate(after delegate: any URLSessionTaskDelegate) -> (any URLSessionDataDelegate)? {
    taskDelegate(after: delegate) as? any URLSessionDataDelegate
  }

  /// The same for downloads.
  func downloadDelegate(after delegate: any URLSessionTaskDelegate) -> (any URLSessionDownloadDelegate)? {
    taskDelegate(after: delegate) as? any URLSessionDownloadDelegate
  }

  func webSocketDelegate(after delegate: any URLSessionTaskDelegate) -> (any URLSessionWebSocketDelegate)? {
    taskDelegate(after: delegate) as? any URLSessionWebSocketDelegate
  }
}
