// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: `context` is set once, before the URLSession has a task about which it could call from other threads.
/// Hears what the `URLSession` of a `Session` has to say and passes it on to the request concerned.
///
/// It is called for every task if it is of a subclass, or if the `URLSession` is one of yours; then its methods run on
/// the `URLSession`'s delegate queue: override what you like, and call `super`. Otherwise tasks tell their requests
/// themselves, and this hears of tasks that you have made with `Session.session`.
open class SessionDelegate: NSObject, @unchecked Sendable {
  let fileManager: FileManager
  private(set) var context: SessionContext?

  /// Makes a delegate for one session.
  ///
  /// - Parameter fileManager: Moves downloaded files.
  public init(fileManager: FileManager = .default) {
    self.fileManager = fileManager
  }

  func serve(_ context: SessionContext) {
    precondition(self.context == nil, "A SessionDelegate serves one Session.")
    self.context = context
  }

  var monitor: CompositeEventMonitor? { context?.observer }

  func request(for task: URLSessionTask) -> Request? { task.listener as? Request }

  // Everything below that is `open` has to stand in the body of the class to be overridable.

  // MARK: URLSessionDelegate

  /// Ends the requests that are left, when the `URLSession` has gone invalid.
  open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    monitor?.urlSession(session, didBecomeInvalidWithError: error)
    guard let left = context?.active.withLock({ $0.close() }) else { return }
    for request in left.abandoned { request.finishWithoutSession(error: .sessionInvalidated(error: error)) }
    for request in left.orphans { request.finishWithoutSession(error: .sessionDeinitialized) }
    // A task that never ran keeps its request, and would do so for ever.
    for request in left.abandoned.union(left.orphans) { request.lastTask?.listener = nil }
  }

  // MARK: URLSessionTaskDelegate

  /// Answers a challenge with a credential, or evaluates the server's trust.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let context else { return completionHandler(.performDefaultHandling, nil) }
    context.meet(challenge, task, of: request(for: task), answer: completionHandler)
  }

  /// Passes the event on to the monitors and to the request, which reports its upload progress.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    monitor?.urlSession(
      session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
      totalBytesExpectedToSend: totalBytesExpectedToSend)
    request(for: task)?.updateUploadProgress(sent: totalBytesSent, expected: totalBytesExpectedToSend)
  }

  /// Hands over the stream of a streamed upload.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    monitor?.urlSession(session, taskNeedsNewBodyStream: task)
    completionHandler(request(for: task)?.inputStream())
  }

  /// Asks the request's redirect handler, or else the session's.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let context else { return completionHandler(request) }
    context.follow(
      response, with: request, task, of: self.request(for: task), answer: completionHandler)
  }

  /// Passes the measurements on to the monitors and to the request, which keeps them.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    monitor?.urlSession(session, task: task, didFinishCollecting: metrics)
    request(for: task)?.didGatherMetrics(metrics)
  }

  /// Passes the event on to the monitors, and ends the request's attempt: validators run, and then retriers or the
  /// handlers.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    monitor?.urlSession(session, task: task, didCompleteWithError: error)
    (task.releaseListener() as? Request)?.endAttempt(task, with: error)
  }

  /// Passes the event on to the monitors.
  open func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    monitor?.urlSession(session, taskIsWaitingForConnectivity: task)
  }

  /// Shows an interim response to the request.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    request(for: task)?.didReceiveInterim(response)
  }

  /// Shows a proxy's answer to the request.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveProxyResponse response: HTTPURLResponse
  ) {
    request(for: task)?.didReceiveFromProxy(response)
  }

  // MARK: URLSessionDataDelegate

  /// Shows the head of a response to the request. It may hold the body back.
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    monitor?.urlSession(session, dataTask: dataTask, didReceive: response)
    guard let response = response as? HTTPURLResponse, let request = request(for: dataTask) else {
      return completionHandler(.allow)
    }
    request.didReceiveResponse(response, completion: completionHandler)
  }

  /// Hands a part of the body to the request.
  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    monitor?.urlSession(session, dataTask: dataTask, didReceive: data)
    let length = dataTask.response?.expectedContentLength ?? NSURLSessionTransferSizeUnknown
    request(for: dataTask)?.didReceive(data: data, of: dataTask, length: length)
  }

  /// Asks the request's handler of cached responses, or else the session's.
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    guard let context else { return completionHandler(proposedResponse) }
    context.cache(proposedResponse, dataTask, of: request(for: dataTask), answer: completionHandler)
  }

  // MARK: URLSessionDownloadDelegate

  /// Counts from where an earlier download stopped.
  open func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    monitor?.urlSession(
      session, downloadTask: downloadTask, didResumeAtOffset: fileOffset,
      expectedTotalBytes: expectedTotalBytes)
    request(for: downloadTask)?.updateDownloadProgress(written: fileOffset, expected: expectedTotalBytes)
  }

  /// Passes the event on to the monitors and to the request, which reports its download progress.
  open func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    monitor?.urlSession(
      session, downloadTask: downloadTask, didWriteData: bytesWritten,
      totalBytesWritten: totalBytesWritten, totalBytesExpectedToWrite: totalBytesExpectedToWrite)
    request(for: downloadTask)?
      .updateDownloadProgress(written: totalBytesWritten, expected: totalBytesExpectedToWrite)
  }

  /// Passes the event on to the monitors, asks for the destination, and moves the file there before it returns.
  open func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    monitor?.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location)
    request(for: downloadTask)?.takeFile(at: location, of: downloadTask, using: fileManager)
  }

  // MARK: URLSessionWebSocketDelegate

  /// Tells the request that its WebSocket is open.
  open func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
  ) {
    (request(for: webSocketTask) as? WebSocketRequest)?.didOpen(webSocketTask, `protocol`)
  }

  /// Tells the request that the server has closed its WebSocket.
  open func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {
    (request(for: webSocketTask) as? WebSocketRequest)?.didClose(webSocketTask, closeCode, reason)
  }
}

extension SessionDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate, URLSessionWebSocketDelegate {}

extension SessionDelegate: BodyKeeping {
  package func keepsBody(of task: URLSessionTask) -> Bool { request(for: task)?.collectsBody ?? false }
}
