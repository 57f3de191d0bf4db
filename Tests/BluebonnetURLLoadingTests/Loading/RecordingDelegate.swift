// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import BluebonnetLocks

/// Writes down what a session tells its delegate, and answers as it was told to.
final class RecordingDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
  struct Record: Sendable {
    var events: [String] = []
    var data = Data()
    var largestBacklog = 0
    var error: (any Error)?
    var metrics: URLSessionTaskMetrics?
    var downloaded: Data?
    var isComplete = false
  }

  private let state = Locked(Record())
  let disposition: URLSession.ResponseDisposition
  let followsRedirects: Bool
  let credential: URLCredential?
  /// Seconds that each piece of a body keeps the delegate busy.
  let slowness: Double

  init(
    disposition: URLSession.ResponseDisposition = .allow, followsRedirects: Bool = true,
    credential: URLCredential? = nil, slowness: Double = 0
  ) {
    self.disposition = disposition
    self.followsRedirects = followsRedirects
    self.credential = credential
    self.slowness = slowness
  }

  var record: Record { state.withLock { $0 } }

  private func note(_ event: String) {
    state.withLock { $0.events.append(event) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note("response")
    completionHandler(disposition)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if slowness > 0 { Pause.take(microseconds: Int(slowness * 1e6)) }
    state.withLock {
      if $0.events.last != "data" { $0.events.append("data") }
      $0.data.append(data)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    note("redirect")
    completionHandler(followsRedirects ? request : nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    note("challenge")
    if challenge.previousFailureCount == 0, let credential {
      completionHandler(.useCredential, credential)
    } else {
      completionHandler(.performDefaultHandling, nil)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    state.withLock {
      $0.events.append("metrics")
      $0.metrics = metrics
    }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let data = try? Data(contentsOf: location)
    state.withLock {
      $0.events.append("file")
      $0.downloaded = data
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    state.withLock {
      $0.events.append("complete")
      $0.error = error
      $0.isComplete = true
    }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    note("invalid")
  }
}
