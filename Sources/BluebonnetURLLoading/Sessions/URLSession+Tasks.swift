// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSession {
  /// Makes a task that loads `request` into memory; call `resume()` to start it.
  public func dataTask(with request: URLRequest) -> URLSessionDataTask {
    register(for: nil) { URLSessionDataTask($0, request: request, body: .ofRequest) }
  }

  /// Makes a task that loads `url` into memory.
  public func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

  /// Makes a task that sends data from memory. It is suspended until `resume()`.
  ///
  /// - Parameters:
  ///   - request: Where it is sent, and how; its own body is ignored.
  ///   - bodyData: The body.
  /// - Returns: The task.
  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    register(for: nil) { URLSessionUploadTask($0, request: request, body: .data(bodyData)) }
  }

  /// Makes a task that sends a file.
  public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    register(for: nil) { URLSessionUploadTask($0, request: request, body: .file(fileURL)) }
  }

  /// Makes a task that sends the stream that the delegate hands over.
  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    register(for: nil) { URLSessionUploadTask($0, request: request, body: .streamed) }
  }

  /// Makes a task that loads `request` into a file.
  public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    register(for: nil) { URLSessionDownloadTask($0, request: request) }
  }

  /// Makes a task that loads `url` into a file.
  public func downloadTask(with url: URL) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url))
  }

  /// Makes a task that goes on with a download, perhaps another process's. It is suspended until `resume()`.
  ///
  /// It asks for the rest, on the condition that nothing has changed since (RFC 9110 §13.1.5). If the server sends the whole all the
  /// same, or the part is gone or in use, the download starts over; `urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)`
  /// tells that it goes on. Data that are none of this package's fail the task with a ``RefusedSetting``. They may come
  /// from an attacker: they lead to no file but the library's own.
  ///
  /// - Parameter resumeData: From ``URLSessionDownloadTask/cancel(byProducingResumeData:)``, or from the `userInfo` of an error,
  ///   under `NSURLSessionDownloadTaskResumeData`.
  /// - Returns: The task. Its `originalRequest` is that of the earlier download; nil for data that are none.
  public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    let earlier = ResumedDownload(resumeData)
    let request = earlier.request
    return register(for: nil) { URLSessionDownloadTask($0, request: request, goingOnWith: earlier) }
  }

  /// Makes a task that goes on with a download from another address, such as a signed one that replaces one that has
  /// expired. An addition of this package.
  ///
  /// - Parameters:
  ///   - resumeData: As for ``downloadTask(withResumeData:)``; the request in it is not used.
  ///   - request: A GET without a range or a condition of its own, or the task fails with a ``RefusedSetting``. What it
  ///     leads to has to have the validator of the earlier response, or the download starts over.
  /// - Returns: The task.
  public func downloadTask(withResumeData resumeData: Data, request: URLRequest) -> URLSessionDownloadTask {
    let earlier = ResumedDownload(resumeData)
    return register(for: nil) { URLSessionDownloadTask($0, request: request, goingOnWith: earlier) }
  }

  /// Makes the download that goes on with the load of a data task.
  func downloadTask(insteadOf task: URLSessionDataTask) -> URLSessionDownloadTask {
    register(for: nil, evenIfInvalidated: true) { origins in
      let download = URLSessionDownloadTask(origins, request: task.originalRequest)
      // Before the task is shared: cancelling it means the load that there is.
      download.takeOver(from: task)
      return download
    }
  }

  /// Numbers a task and keeps it until it completes.
  ///
  /// - Parameters:
  ///   - listener:          Hears of the task in place of the session's delegate.
  ///   - evenIfInvalidated: For a task that goes on with what another one began before.
  ///   - make:              Makes it; runs while the session is locked.
  func register<T: URLSessionTask>(
    for listener: (any TaskListener)?, evenIfInvalidated: Bool = false,
    _ make: (URLSessionTask.Origins) -> T
  ) -> T {
    let (task, delegate) = state.withLock { state in
      state.lastIdentifier += 1
      let task = make((self, state.engine, state.lastIdentifier, listener))
      // A task of an invalidated session is handed out, and fails when resumed.
      if evenIfInvalidated || !state.isInvalidated { state.tasks.insert(task, number: task.taskIdentifier) }
      return (task, state.taskDelegate)
    }
    // At once, so that the delegate can change the task before it is resumed.
    delegate?.urlSession(self, didCreateTask: task)
    return task
  }
}

// Tasks with another listener than the session's delegate.
extension URLSession {
  /// Makes a task that loads `request` into memory.
  package func dataTask(with request: URLRequest, for listener: any TaskListener) -> URLSessionDataTask {
    register(for: listener) { URLSessionDataTask($0, request: request, body: .ofRequest) }
  }

  /// Makes a task that sends a body.
  package func uploadTask(
    with request: URLRequest, _ body: URLSessionTask.Body, for listener: any TaskListener
  ) -> URLSessionUploadTask {
    register(for: listener) { URLSessionUploadTask($0, request: request, body: body) }
  }

  /// Makes a task that loads `request` into a file, or the rest of it.
  ///
  /// - Parameter resumeData: What an earlier download left.
  package func downloadTask(
    with request: URLRequest, resumeData: Data, for listener: any TaskListener
  ) -> URLSessionDownloadTask {
    let earlier = ResumedDownload(resumeData)
    return register(for: listener) { URLSessionDownloadTask($0, request: request, goingOnWith: earlier) }
  }

  /// Makes a task that loads `request` into a file.
  package func downloadTask(
    with request: URLRequest, for listener: any TaskListener
  ) -> URLSessionDownloadTask {
    register(for: listener) { URLSessionDownloadTask($0, request: request) }
  }
}
