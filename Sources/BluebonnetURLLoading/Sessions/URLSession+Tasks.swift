import BluebonnetFoundation

extension URLSession {
  /// Makes a task that loads `request` into memory; call `resume()` to start it.
  public func dataTask(with request: URLRequest) -> URLSessionDataTask {
    register { URLSessionDataTask(session: self, identifier: $0, request: request, body: .ofRequest) }
  }

  /// Makes a task that loads `url` into memory.
  public func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

  /// Makes a task that sends `bodyData`.
  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    register { URLSessionUploadTask(session: self, identifier: $0, request: request, body: .data(bodyData)) }
  }

  /// Makes a task that sends a file.
  public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    register { URLSessionUploadTask(session: self, identifier: $0, request: request, body: .file(fileURL)) }
  }

  /// Makes a task that sends the stream that the delegate hands over.
  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    register { URLSessionUploadTask(session: self, identifier: $0, request: request, body: .streamed) }
  }

  /// Makes a task that loads `request` into a file.
  public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    register { URLSessionDownloadTask(session: self, identifier: $0, request: request, resumeData: nil) }
  }

  /// Makes a task that loads `url` into a file.
  public func downloadTask(with url: URL) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url))
  }

  /// Makes a task that goes on with a download. Refused: it fails when it is resumed, with an error that says so.
  public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    register { URLSessionDownloadTask(session: self, identifier: $0, request: nil, resumeData: resumeData) }
  }

  /// Makes the download that goes on with the load of a data task.
  func downloadTask(insteadOf task: URLSessionDataTask, drivenBy driver: TaskLoad) -> URLSessionDownloadTask {
    register(evenIfInvalidated: true) { identifier in
      let download = URLSessionDownloadTask(
        session: self, identifier: identifier, request: task.originalRequest, resumeData: nil)
      // Before anybody else sees it: whoever cancels it means the load that there is.
      download.takeOver(from: task, drivenBy: driver)
      return download
    }
  }

  /// Numbers a task and keeps it until it completes.
  ///
  /// - Parameter evenIfInvalidated: for a task that goes on with what another one began before.
  private func register<T: URLSessionTask>(evenIfInvalidated: Bool = false, _ make: (Int) -> T) -> T {
    let (identifier, listener) = state.withLock { state in
      state.lastIdentifier += 1
      return (state.lastIdentifier, state.taskDelegate)
    }
    let task = make(identifier)
    // A task of an invalidated session is handed out, and fails when resumed.
    state.withLock { state in
      if evenIfInvalidated || !state.isInvalidated { state.tasks[identifier] = task }
    }
    // At once, so that the delegate can change the task before anybody resumes it.
    listener?.urlSession(self, didCreateTask: task)
    return task
  }
}
