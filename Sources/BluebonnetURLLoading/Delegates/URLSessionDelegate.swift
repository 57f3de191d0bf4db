// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Hears what concerns a whole session, on the session's `delegateQueue`. All methods are optional.
public protocol URLSessionDelegate: AnyObject, Sendable {
  /// The session is done: it was invalidated and its last task has completed.
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

  /// A connection's challenge: about the peer's trust or the caller's identity.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// The asynchronous form of `urlSession(_:didReceive:completionHandler:)`; implement one of both.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

// A delegate implements the completion form, the asynchronous form or neither. The default of the first calls the
// second, and its default gives Apple's answer; so the implemented one is called.
extension URLSessionDelegate {
  /// Ignores that the session is over.
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}

  /// Asks the asynchronous form, in a `Task`.
  public func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    Task {
      let (disposition, credential) = await self.urlSession(session, didReceive: challenge)
      completionHandler(disposition, credential)
    }
  }

  /// Answers `.performDefaultHandling`: the session's credentials and anchors decide.
  public func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    (.performDefaultHandling, nil)
  }
}
