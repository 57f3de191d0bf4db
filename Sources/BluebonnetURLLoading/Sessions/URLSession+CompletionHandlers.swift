// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

extension URLSession {
  /// The completion handler of a task, called on the session's `delegateQueue`: data, response, error.
  public typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  /// The completion handler of a download, called on the session's `delegateQueue`: a file that is deleted
  /// afterwards, response, error.
  public typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

  /// Makes a data task that calls back once, on the delegate queue.
  public func dataTask(
    with request: URLRequest, completionHandler: @escaping DataHandler
  ) -> URLSessionDataTask {
    dataTask(with: request).completing(.data(completionHandler))
  }

  /// Makes a data task that calls back once, on the delegate queue.
  public func dataTask(with url: URL, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
    dataTask(with: url).completing(.data(completionHandler))
  }

  /// Makes an upload that calls back once, on the delegate queue.
  public func uploadTask(
    with request: URLRequest, from bodyData: Data?, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    uploadTask(with: request, from: bodyData ?? Data()).completing(.data(completionHandler))
  }

  /// Makes an upload of a file that calls back once, on the delegate queue.
  public func uploadTask(
    with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    uploadTask(with: request, fromFile: fileURL).completing(.data(completionHandler))
  }

  /// Makes a download that calls back once, on the delegate queue.
  public func downloadTask(
    with request: URLRequest, completionHandler: @escaping FileHandler
  ) -> URLSessionDownloadTask {
    downloadTask(with: request).completing(.file(completionHandler))
  }

  /// Makes a download that calls back once, on the delegate queue.
  public func downloadTask(with url: URL, completionHandler: @escaping FileHandler) -> URLSessionDownloadTask
  {
    downloadTask(with: url).completing(.file(completionHandler))
  }

  /// Makes a download that goes on with an earlier one, as ``downloadTask(withResumeData:)`` does, and calls back once, on
  /// the delegate queue.
  public func downloadTask(
    withResumeData resumeData: Data, completionHandler: @escaping FileHandler
  ) -> URLSessionDownloadTask {
    downloadTask(withResumeData: resumeData).completing(.file(completionHandler))
  }
}

extension URLSessionTask {
  fileprivate func completing(_ completion: Completion) -> Self {
    self.completion = completion
    return self
  }
}
