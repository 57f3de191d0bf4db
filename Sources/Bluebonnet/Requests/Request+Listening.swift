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

  package func accepts(_ response: URLResponse, of task: URLSessionTask) -> Bool {
    guard responseHook == nil else { return false }
    if let observer = context.observer { observe(response, of: task, by: observer) }
    return true
  }

  package func hear(_ event: LoadEvent, of task: URLSessionTask) {
    if let observer = context.observer { observe(event, of: task, by: observer) }
    switch event {
    case .sent(_, let total, let expected): updateUploadProgress(sent: total, expected: expected)
    case .interim(let response): didReceiveInterim(response)
    case .tunnelResponse(let response): didReceiveFromProxy(response)
    case .data(let data, let length): didReceive(data: data, of: task, length: length)
    case .resumed(let offset, let expected): updateDownloadProgress(written: offset, expected: expected)
    case .written(_, let total, let expected): updateDownloadProgress(written: total, expected: expected)
    case .opened(let subprotocol):
      guard let task = task as? URLSessionWebSocketTask else { return }
      (self as? WebSocketRequest)?.didOpen(task, subprotocol)
    case .closed(let code, let reason):
      guard let task = task as? URLSessionWebSocketTask else { return }
      (self as? WebSocketRequest)?.didClose(task, code, reason)
    case .completed(let error, let metrics): endAttempt(task, with: error, metrics)
    case .waitingForConnectivity, .sending, .passedOver, .becameDownload, .measured: break
    }
  }

  package func answer(_ question: LoadQuestion, of task: URLSessionTask) {
    switch question {
    case .delayedRequest(_, let answer): answer(.continueLoading, nil)
    case .bodyStream(let answer):
      context.observer?.urlSession(task.session, taskNeedsNewBodyStream: task)
      // A stream of a subclass is the user's code.
      if hasPlainStream { return answer(inputStream()) }
      context.userCode { answer(self.inputStream()) }
    case .challenge(let challenge, let answer): context.meet(challenge, task, of: self, answer: answer)
    case .redirect(let response, let request, let answer):
      context.follow(response, with: request, task, of: self, answer: answer)
    case .response(let response, let answer):
      if let observer = context.observer { observe(response, of: task, by: observer) }
      guard let response = response as? HTTPURLResponse else { return answer(.allow) }
      didReceiveResponse(response, completion: answer)
    case .storage(let response, let answer):
      guard let task = task as? URLSessionDataTask else { return answer(response) }
      context.cache(response, task, of: self, answer: answer)
    case .file(let location, let answer):
      if let observer = context.observer, let task = task as? URLSessionDownloadTask {
        observer.urlSession(task.session, downloadTask: task, didFinishDownloadingTo: location)
      }
      // The destination is the user's code, and a file system may be slow.
      context.userCode { [self] in
        takeFile(at: location, of: task, using: context.fileManager)
        answer()
      }
    }
  }

  // MARK: The session's monitors

  private func observe(_ response: URLResponse, of task: URLSessionTask, by observer: CompositeEventMonitor) {
    guard let task = task as? URLSessionDataTask else { return }
    observer.urlSession(task.session, dataTask: task, didReceive: response)
  }

  private func observe(_ event: LoadEvent, of task: URLSessionTask, by observer: CompositeEventMonitor) {
    let session = task.session
    switch event {
    case .waitingForConnectivity: observer.urlSession(session, taskIsWaitingForConnectivity: task)
    case .sent(let count, let total, let expected):
      observer.urlSession(
        session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected
      )
    case .data(let data, _):
      guard let task = task as? URLSessionDataTask else { return }
      observer.urlSession(session, dataTask: task, didReceive: data)
    case .resumed(let offset, let expected):
      guard let task = task as? URLSessionDownloadTask else { return }
      observer.urlSession(
        session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
    case .written(let count, let total, let expected):
      guard let task = task as? URLSessionDownloadTask else { return }
      observer.urlSession(
        session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
        totalBytesExpectedToWrite: expected)
    case .sending, .interim, .tunnelResponse, .passedOver, .becameDownload, .opened, .closed, .measured,
      .completed:
      break
    }
  }
}
