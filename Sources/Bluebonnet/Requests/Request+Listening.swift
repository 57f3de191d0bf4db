// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// What a task tells its request, and asks it: at once, unless a subclass of `SessionDelegate` or a `URLSession` of the
// user's stands between them.
extension Request: TaskListener {
  package var executor: CallbackExecutor { context.executor }
  package var isOnLoop: Bool { context.isOnLoop }
  package var takesData: Bool { true }

  package func keepsBody(of task: URLSessionTask) -> Bool { collectsBody }

  package func task(
    _ task: URLSessionTask, willBeginDelayed request: URLRequest,
    answer: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    answer(.continueLoading, nil)
  }

  package func taskIsWaitingForConnectivity(_ task: URLSessionTask) {
    context.observer?.urlSession(task.session, taskIsWaitingForConnectivity: task)
  }

  package func task(
    _ task: URLSessionTask, willFollow response: HTTPURLResponse, with request: URLRequest,
    answer: @escaping @Sendable (URLRequest?) -> Void
  ) {
    context.follow(response, with: request, task, of: self, answer: answer)
  }

  package func task(
    _ task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    context.meet(challenge, task, of: self, answer: answer)
  }

  package func taskNeedsBodyStream(_ task: URLSessionTask, answer: @escaping @Sendable (InputStream?) -> Void)
  {
    context.observer?.urlSession(task.session, taskNeedsNewBodyStream: task)
    // A stream of a subclass is the user's code.
    if hasPlainStream { return answer(inputStream()) }
    context.userCode { answer(self.inputStream()) }
  }

  package func task(_ task: URLSessionTask, didSend count: Int64, _ counts: URLSessionTask.ByteCounts) {
    context.observer?.urlSession(
      task.session, task: task, didSendBodyData: count, totalBytesSent: counts.sent,
      totalBytesExpectedToSend: counts.expectedToSend)
    updateUploadProgress(sent: counts.sent, expected: counts.expectedToSend)
  }

  package func task(_ task: URLSessionTask, didReceiveInterim response: HTTPURLResponse) {
    didReceiveInterim(response)
  }

  package func task(_ task: URLSessionTask, didReceiveFromProxy response: HTTPURLResponse) {
    didReceiveFromProxy(response)
  }

  package func task(
    _ task: URLSessionDataTask, didReceive response: URLResponse,
    answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    context.observer?.urlSession(task.session, dataTask: task, didReceive: response)
    guard let response = response as? HTTPURLResponse else { return answer(.allow) }
    didReceiveResponse(response, completion: answer)
  }

  package func task(_ task: URLSessionDataTask, accepts response: URLResponse) -> Bool {
    guard responseHook == nil else { return false }
    context.observer?.urlSession(task.session, dataTask: task, didReceive: response)
    return true
  }

  package func task(_ task: URLSessionDataTask, didBecome download: URLSessionDownloadTask) {}

  package func task(_ task: URLSessionDataTask, didReceive data: Data, of length: Int64) {
    context.observer?.urlSession(task.session, dataTask: task, didReceive: data)
    didReceive(data: data, of: task, length: length)
  }

  package func task(
    _ task: URLSessionDataTask, willCache response: CachedURLResponse,
    answer: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    context.cache(response, task, of: self, answer: answer)
  }

  package func task(_ task: URLSessionDownloadTask, didResumeAt offset: Int64, of total: Int64) {
    context.observer?.urlSession(
      task.session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: total)
    (self as? DownloadRequest)?.updateDownloadProgress(written: offset, expected: total)
  }

  package func task(
    _ task: URLSessionDownloadTask, didWrite count: Int64, _ counts: URLSessionTask.ByteCounts
  ) {
    context.observer?.urlSession(
      task.session, downloadTask: task, didWriteData: count, totalBytesWritten: counts.received,
      totalBytesExpectedToWrite: counts.expectedToReceive)
    updateDownloadProgress(written: counts.received, expected: counts.expectedToReceive)
  }

  package func task(
    _ task: URLSessionDownloadTask, didFinishDownloadingTo location: URL,
    answer: @escaping @Sendable () -> Void
  ) {
    context.observer?.urlSession(task.session, downloadTask: task, didFinishDownloadingTo: location)
    // The destination is the user's code, and a file system may be slow.
    context.userCode { [self] in
      takeFile(at: location, of: task, using: context.fileManager)
      answer()
    }
  }

  package func task(_ task: URLSessionWebSocketTask, didOpenWith subprotocol: String?) {
    (self as? WebSocketRequest)?.didOpen(task, subprotocol)
  }

  package func task(
    _ task: URLSessionWebSocketTask, didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {
    (self as? WebSocketRequest)?.didClose(task, code, reason)
  }

  package func task(
    _ task: URLSessionTask, didCompleteWith error: (any Error)?, _ metrics: URLSessionTaskMetrics
  ) {
    endAttempt(task, with: error, metrics)
  }
}
