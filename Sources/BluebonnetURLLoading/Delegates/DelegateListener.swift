// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// Speaks for delegates: a task's own one, where it has one, or the session's.
final class DelegateListener: TaskListener {
  let executor: CallbackExecutor
  // By role. Cast once: a dynamic cast for each event would cost more than the event.
  let taskDelegate: any URLSessionTaskDelegate
  private let dataDelegate: (any URLSessionDataDelegate)?
  private let downloadDelegate: (any URLSessionDownloadDelegate)?
  private let transmissionDelegate: (any URLSessionTransmissionDelegate)?

  /// Nil where there is no delegate.
  init?(session delegate: (any URLSessionDelegate)?, executor: CallbackExecutor) {
    guard let task = SessionChallenges.taskDelegate(for: delegate) else { return nil }
    self.executor = executor
    taskDelegate = task
    dataDelegate = delegate as? any URLSessionDataDelegate
    downloadDelegate = delegate as? any URLSessionDownloadDelegate
    transmissionDelegate = delegate as? any URLSessionTransmissionDelegate
  }

  /// A task's own delegate goes before the session's.
  init(
    own delegate: any URLSessionTaskDelegate, before session: DelegateListener?, executor: CallbackExecutor
  ) {
    self.executor = executor
    taskDelegate = delegate
    dataDelegate = delegate as? any URLSessionDataDelegate ?? session?.dataDelegate
    downloadDelegate = delegate as? any URLSessionDownloadDelegate ?? session?.downloadDelegate
    transmissionDelegate =
      delegate as? any URLSessionTransmissionDelegate ?? session?.transmissionDelegate
  }

  /// The same delegates, called elsewhere.
  convenience init(_ other: DelegateListener, executor: CallbackExecutor) {
    self.init(own: other.taskDelegate, before: other, executor: executor)
  }

  var ownerName: String { "\(type(of: (taskDelegate as? SessionChallenges)?.delegate ?? taskDelegate))" }

  func keepsBody(of task: URLSessionTask) -> Bool {
    (dataDelegate as? any BodyKeeping)?.keepsBody(of: task) ?? false
  }

  var takesData: Bool { dataDelegate != nil }

  var hearsTransmission: Bool { transmissionDelegate != nil }

  func task(_ task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection) {
    transmissionDelegate?.urlSession(task.session, task: task, willSend: head, over: connection)
  }

  func task(_ task: URLSessionTask, willProveAfter response: HTTPURLResponse) {
    transmissionDelegate?.urlSession(task.session, task: task, willProveAfter: response)
  }

  func task(
    _ task: URLSessionTask, willBeginDelayed request: URLRequest,
    answer: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    taskDelegate.urlSession(
      task.session, task: task, willBeginDelayedRequest: request, completionHandler: answer)
  }

  func taskIsWaitingForConnectivity(_ task: URLSessionTask) {
    taskDelegate.urlSession(task.session, taskIsWaitingForConnectivity: task)
  }

  func task(
    _ task: URLSessionTask, willFollow response: HTTPURLResponse, with request: URLRequest,
    answer: @escaping @Sendable (URLRequest?) -> Void
  ) {
    taskDelegate.urlSession(
      task.session, task: task, willPerformHTTPRedirection: response, newRequest: request,
      completionHandler: answer)
  }

  func task(
    _ task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    taskDelegate.urlSession(task.session, task: task, didReceive: challenge, completionHandler: answer)
  }

  func taskNeedsBodyStream(_ task: URLSessionTask, answer: @escaping @Sendable (InputStream?) -> Void) {
    taskDelegate.urlSession(task.session, task: task, needNewBodyStream: answer)
  }

  func task(_ task: URLSessionTask, didSend count: Int64, _ counts: URLSessionTask.ByteCounts) {
    taskDelegate.urlSession(
      task.session, task: task, didSendBodyData: count, totalBytesSent: counts.sent,
      totalBytesExpectedToSend: counts.expectedToSend)
  }

  func task(_ task: URLSessionTask, didReceiveInterim response: HTTPURLResponse) {
    taskDelegate.urlSession(task.session, task: task, didReceiveInformationalResponse: response)
  }

  func task(_ task: URLSessionTask, didReceiveFromProxy response: HTTPURLResponse) {
    taskDelegate.urlSession(task.session, task: task, didReceiveProxyResponse: response)
  }

  func task(
    _ task: URLSessionDataTask, didReceive response: URLResponse,
    answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let dataDelegate else { return answer(.allow) }
    dataDelegate.urlSession(task.session, dataTask: task, didReceive: response, completionHandler: answer)
  }

  func task(_ task: URLSessionDataTask, didBecome download: URLSessionDownloadTask) {
    dataDelegate?.urlSession(task.session, dataTask: task, didBecome: download)
  }

  func task(_ task: URLSessionDataTask, didReceive data: Data, of length: Int64) {
    dataDelegate?.urlSession(task.session, dataTask: task, didReceive: data)
  }

  func task(
    _ task: URLSessionDataTask, willCache response: CachedURLResponse,
    answer: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    guard let dataDelegate else { return answer(response) }
    dataDelegate.urlSession(
      task.session, dataTask: task, willCacheResponse: response, completionHandler: answer)
  }

  func task(_ task: URLSessionDownloadTask, didResumeAt offset: Int64, of total: Int64) {
    downloadDelegate?.urlSession(
      task.session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: total)
  }

  func task(_ task: URLSessionDownloadTask, didWrite count: Int64, _ counts: URLSessionTask.ByteCounts) {
    downloadDelegate?.urlSession(
      task.session, downloadTask: task, didWriteData: count, totalBytesWritten: counts.received,
      totalBytesExpectedToWrite: counts.expectedToReceive)
  }

  func task(
    _ task: URLSessionDownloadTask, didFinishDownloadingTo location: URL,
    answer: @escaping @Sendable () -> Void
  ) {
    downloadDelegate?.urlSession(task.session, downloadTask: task, didFinishDownloadingTo: location)
    answer()
  }

  func task(_ task: URLSessionWebSocketTask, didOpenWith subprotocol: String?) {
    webSocketDelegate(of: task)?
      .urlSession(task.session, webSocketTask: task, didOpenWithProtocol: subprotocol)
  }

  func task(
    _ task: URLSessionWebSocketTask, didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {
    webSocketDelegate(of: task)?
      .urlSession(task.session, webSocketTask: task, didCloseWith: code, reason: reason)
  }

  /// Cast when there is something to tell, twice in the life of a few tasks.
  private func webSocketDelegate(of task: URLSessionTask) -> (any URLSessionWebSocketDelegate)? {
    taskDelegate as? any URLSessionWebSocketDelegate ?? task.session.delegate
      as? any URLSessionWebSocketDelegate
  }

  func task(_ task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    taskDelegate.urlSession(task.session, task: task, didFinishCollecting: metrics)
  }

  func task(
    _ task: URLSessionTask, didCompleteWith error: (any Error)?, _ metrics: URLSessionTaskMetrics
  ) {
    taskDelegate.urlSession(task.session, task: task, didFinishCollecting: metrics)
    taskDelegate.urlSession(task.session, task: task, didCompleteWithError: error)
  }
}

/// A delegate that keeps the bodies of some tasks in memory.
package protocol BodyKeeping: AnyObject {
  /// Whether the pieces of the task's body are put together as they are handed over.
  func keepsBody(of task: URLSessionTask) -> Bool
}
