// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// The listener of a task, told of it and asked about it, for its owner: a request of the API, or the delegates of a session.
///
/// Called on `executor`. On the loop's, it is told in loop context: it has to be quick there, and runs no code of the user's. A
/// question is answered once, at once or later, from any thread.
package protocol TaskListener: AnyObject, Sendable {
  /// The executor on which the listener is told and asked.
  var executor: CallbackExecutor { get }

  /// Whether `executor` is the loop's: then the listener is told at once.
  var isOnLoop: Bool { get }

  /// The name of the type with the handlers that answer, for messages to its author. Default: the listener's own.
  var ownerName: String { get }

  /// Whether the listener wants to know what goes out. Asked in loop context.
  var hearsTransmission: Bool { get }

  /// A request's head goes out.
  func task(_ task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection)

  /// A response has been answered with credentials.
  func task(_ task: URLSessionTask, willProveAfter response: HTTPURLResponse)

  /// Whether the listener puts the pieces of the body together, so that it is in memory as a whole in the end. Asked in
  /// loop context.
  func keepsBody(of task: URLSessionTask) -> Bool

  /// Whether pieces of a data task's body are wanted at all. Asked in loop context.
  var takesData: Bool { get }

  /// The task's earliest date has come.
  func task(
    _ task: URLSessionTask, willBeginDelayed request: URLRequest,
    answer: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void)

  /// There is no way to the server; the task waits.
  func taskIsWaitingForConnectivity(_ task: URLSessionTask)

  /// The server sends the task elsewhere; nil makes the redirect the final response.
  func task(
    _ task: URLSessionTask, willFollow response: HTTPURLResponse, with request: URLRequest,
    answer: @escaping @Sendable (URLRequest?) -> Void)

  /// The server's trust is in question, or it requires authentication.
  func task(
    _ task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// Whether the task has a credential of its own. Called on any thread. Default: false.
  func presentsCredential(for task: URLSessionTask) -> Bool

  /// The owner's credential for this space, as far as it is known without a question. Called in
  /// loop context. Default: nil.
  func credential(for space: URLProtectionSpace, of task: URLSessionTask) -> URLCredential?

  /// A streamed upload needs its body, for the first time or again.
  func taskNeedsBodyStream(_ task: URLSessionTask, answer: @escaping @Sendable (InputStream?) -> Void)

  /// So many bytes of the body have been sent, with which the counts are these.
  func task(_ task: URLSessionTask, didSend count: Int64, _ counts: URLSessionTask.ByteCounts)

  /// An interim response (1xx) has arrived.
  func task(_ task: URLSessionTask, didReceiveInterim response: HTTPURLResponse)

  /// A proxy has answered to being asked for a tunnel.
  func task(_ task: URLSessionTask, didReceiveFromProxy response: HTTPURLResponse)

  /// The head of a data task's final response has arrived; the body waits for the answer.
  func task(
    _ task: URLSessionDataTask, didReceive response: URLResponse,
    answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)

  /// Tells of the head of a data task's final response a listener that lets its body come at once; one that wants to be asked answers
  /// false, and has not been told. Called in loop context, where the listener's executor is the loop's. Default: false.
  func task(_ task: URLSessionDataTask, accepts response: URLResponse) -> Bool

  /// The data task goes on as a download.
  func task(_ task: URLSessionDataTask, didBecome download: URLSessionDownloadTask)

  /// A piece of a body of `length` bytes, or of one of unknown length (`NSURLSessionTransferSizeUnknown`).
  func task(_ task: URLSessionDataTask, didReceive data: Data, of length: Int64)

  /// The response may be kept; nil keeps it out of the cache. The end of the task waits for the answer.
  func task(
    _ task: URLSessionDataTask, willCache response: CachedURLResponse,
    answer: @escaping @Sendable (CachedURLResponse?) -> Void)

  /// The download goes on with a file that has so many bytes already, of `total`, or of `NSURLSessionTransferSizeUnknown`.
  func task(_ task: URLSessionDownloadTask, didResumeAt offset: Int64, of total: Int64)

  /// So many bytes have gone to the file, with which the counts are these.
  func task(_ task: URLSessionDownloadTask, didWrite count: Int64, _ counts: URLSessionTask.ByteCounts)

  /// The body is in a file, to be deleted after the answer. The end of the task waits for it.
  func task(
    _ task: URLSessionDownloadTask, didFinishDownloadingTo location: URL,
    answer: @escaping @Sendable () -> Void)

  /// The WebSocket is open.
  func task(_ task: URLSessionWebSocketTask, didOpenWith subprotocol: String?)

  /// The server has closed the WebSocket.
  func task(
    _ task: URLSessionWebSocketTask, didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?)

  /// The measurements of a task with a completion handler that hears everything else. Default: nothing.
  func task(_ task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

  /// The last call.
  func task(
    _ task: URLSessionTask, didCompleteWith error: (any Error)?, _ metrics: URLSessionTaskMetrics)
}

extension TaskListener {
  package var hearsTransmission: Bool { false }
  package func task(_ task: URLSessionTask, willProveAfter response: HTTPURLResponse) {}
  package func task(_ task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection) {}

  package func task(_ task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {}

  package func task(_ task: URLSessionDataTask, accepts response: URLResponse) -> Bool { false }

  package var isOnLoop: Bool { executor.isLoop }

  package var ownerName: String { "\(type(of: self))" }

  package func presentsCredential(for task: URLSessionTask) -> Bool { false }

  package func credential(for space: URLProtectionSpace, of task: URLSessionTask) -> URLCredential? { nil }

  package func task(_ task: URLSessionWebSocketTask, didOpenWith subprotocol: String?) {}
  package func task(
    _ task: URLSessionWebSocketTask, didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {}
}
