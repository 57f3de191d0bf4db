// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import BluebonnetLocks

/// Answers the rarer questions of a session as it was told to, and writes down what it hears.
final class AnsweringDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
  struct Record: Sendable {
    var events: [String] = []
    var pieces: [Data] = []
    var error: (any Error)?
    var file: Data?
    var interim: [HTTPURLResponse] = []
    var download: URLSessionDownloadTask?
    var isComplete = false
    var data: Data { pieces.reduce(Data(), +) }
  }

  typealias Delayed = @Sendable (URLRequest) -> (URLSession.DelayedRequestDisposition, URLRequest?)

  private let state = Locked(Record())
  let disposition: URLSession.ResponseDisposition
  let delayed: Delayed

  init(
    disposition: URLSession.ResponseDisposition = .allow,
    delayed: @escaping Delayed = { _ in (.continueLoading, nil) }
  ) {
    self.disposition = disposition
    self.delayed = delayed
  }

  var record: Record { state.withLock { $0 } }

  private func note(_ event: String, _ change: @Sendable (inout Record) -> Void = { _ in }) {
    state.withLock {
      $0.events.append(event)
      change(&$0)
    }
  }

  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
    note("created \(task.taskIdentifier)")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    note("delayed")
    let (disposition, next) = delayed(request)
    completionHandler(disposition, next)
  }

  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    note("waiting")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    note("interim \(response.statusCode)") { $0.interim.append(response) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note("response")
    completionHandler(disposition)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
  ) {
    note("became") { $0.download = downloadTask }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("data") { $0.pieces.append(data) }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let data = try? Data(contentsOf: location)
    note("file") { $0.file = data }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let isDownload = task is URLSessionDownloadTask
    note(isDownload ? "download complete" : "complete") {
      $0.error = error
      $0.isComplete = true
    }
  }
}
