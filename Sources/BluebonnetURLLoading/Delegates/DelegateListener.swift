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

  func hear(_ event: LoadEvent, of task: URLSessionTask) {
    let session = task.session
    switch event {
    case .waitingForConnectivity: taskDelegate.urlSession(session, taskIsWaitingForConnectivity: task)
    case .sending(let head, let connection):
      transmissionDelegate?.urlSession(session, task: task, willSend: head, over: connection)
    case .sent(let count, let total, let expected):
      taskDelegate.urlSession(
        session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected
      )
    case .interim(let response):
      taskDelegate.urlSession(session, task: task, didReceiveInformationalResponse: response)
    case .tunnelResponse(let response):
      taskDelegate.urlSession(session, task: task, didReceiveProxyResponse: response)
    case .passedOver(let response):
      transmissionDelegate?.urlSession(session, task: task, willProveAfter: response)
    case .data(let data, _):
      guard let dataDelegate, let task = task as? URLSessionDataTask else { return }
      dataDelegate.urlSession(session, dataTask: task, didReceive: data)
    case .becameDownload(let download):
      guard let dataDelegate, let task = task as? URLSessionDataTask else { return }
      dataDelegate.urlSession(session, dataTask: task, didBecome: download)
    case .resumed(let offset, let expected):
      guard let downloadDelegate, let task = task as? URLSessionDownloadTask else { return }
      downloadDelegate.urlSession(
        session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
    case .written(let count, let total, let expected):
      guard let downloadDelegate, let task = task as? URLSessionDownloadTask else { return }
      downloadDelegate.urlSession(
        session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
        totalBytesExpectedToWrite: expected)
    case .opened(let subprotocol):
      guard let task = task as? URLSessionWebSocketTask else { return }
      webSocketDelegate(of: task)?.urlSession(session, webSocketTask: task, didOpenWithProtocol: subprotocol)
    case .closed(let code, let reason):
      guard let task = task as? URLSessionWebSocketTask else { return }
      webSocketDelegate(of: task)?
        .urlSession(session, webSocketTask: task, didCloseWith: code, reason: reason)
    case .measured(let metrics): taskDelegate.urlSession(session, task: task, didFinishCollecting: metrics)
    case .completed(let error, let metrics):
      taskDelegate.urlSession(session, task: task, didFinishCollecting: metrics)
      taskDelegate.urlSession(session, task: task, didCompleteWithError: error)
    }
  }

  func answer(_ question: LoadQuestion, of task: URLSessionTask) {
    let session = task.session
    switch question {
    case .delayedRequest(let request, let answer):
      taskDelegate.urlSession(
        session, task: task, willBeginDelayedRequest: request, completionHandler: answer)
    case .bodyStream(let answer): taskDelegate.urlSession(session, task: task, needNewBodyStream: answer)
    case .challenge(let challenge, let answer):
      taskDelegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
    case .redirect(let response, let request, let answer):
      taskDelegate.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: answer)
    case .response(let response, let answer):
      guard let dataDelegate, let task = task as? URLSessionDataTask else { return answer(.allow) }
      dataDelegate.urlSession(session, dataTask: task, didReceive: response, completionHandler: answer)
    case .storage(let response, let answer):
      guard let dataDelegate, let task = task as? URLSessionDataTask else { return answer(response) }
      dataDelegate.urlSession(
        session, dataTask: task, willCacheResponse: response, completionHandler: answer)
    case .file(let location, let answer):
      if let downloadDelegate, let task = task as? URLSessionDownloadTask {
        downloadDelegate.urlSession(session, downloadTask: task, didFinishDownloadingTo: location)
      }
      answer()
    }
  }

  /// Cast when there is something to tell, twice in the life of a few tasks.
  private func webSocketDelegate(of task: URLSessionTask) -> (any URLSessionWebSocketDelegate)? {
    taskDelegate as? any URLSessionWebSocketDelegate ?? task.session.delegate
      as? any URLSessionWebSocketDelegate
  }
}

/// A delegate that keeps the bodies of some tasks in memory.
package protocol BodyKeeping: AnyObject {
  /// Whether the pieces of the task's body are put together as they are handed over.
  func keepsBody(of task: URLSessionTask) -> Bool
}
