// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// Hears what concerns tasks of every kind, on the session's `delegateQueue`. All methods are optional.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  /// A task has been made. Works: called before the method that makes the task returns, on the caller's thread and
  /// not on the delegate queue, so that the task can be changed before it is resumed.
  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)

  /// A task's earliest date has come. Works, for every session and not only for background ones.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler:
      @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void)

  /// The asynchronous form of the question about a delayed task.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
  ) async -> (URLSession.DelayedRequestDisposition, URLRequest?)

  /// There is no path to the peer; the task waits. Works: told once, where the configuration says
  /// `waitsForConnectivity`.
  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

  /// The peer sends the task elsewhere. `nil` makes the redirect itself the final response.
  ///
  /// Asked also where the redirect cannot be followed, which fails the task only if the request comes back as it was:
  /// `request.url` has another scheme than http and https then, or is `nil` where `Location` is no URL, or where several
  /// differ.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)

  /// The asynchronous form of the redirect question.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest?

  /// The peer's challenge for this task's identity.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// The asynchronous form of the task's challenge; implement one of both.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

  /// A streamed upload needs its body, for the first time or again.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)

  /// A part of the body has been sent.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)

  /// An interim response (1xx) has arrived. Works, for every one of them.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)

  /// A proxy has answered to being asked for a tunnel (CONNECT, RFC 9110 §9.3.6), for this task's sake: each head comes, also
  /// those of refusals that are answered. An addition of this package.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveProxyResponse response: HTTPURLResponse)

  /// The measurements of the task; always before `didCompleteWithError`. A delegate is told of them also where a completion
  /// handler, or a caller awaiting the task, hears of everything else.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

  /// The task has ended, well if there is no error.
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
