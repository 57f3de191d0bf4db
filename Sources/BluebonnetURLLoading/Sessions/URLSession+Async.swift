// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation
import BluebonnetMessages

extension URLSession {
  /// Loads `request` into memory. Cancelling the surrounding task cancels the load.
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    if delegate == nil, let answer = plainAnswer(to: request) { return (answer.data, answer.response) }
    return try await value(of: dataTask(with: request), delegate)
  }

  /// A fresh response in the cache's memory, where a task that finds it would have no listener.
  private func plainAnswer(to request: URLRequest) -> InMemoryResponseStore.PlainAnswer? {
    let engine = state.withLock { state in
      state.delegate == nil && !state.isInvalidated ? state.engine : nil
    }
    guard let engine, !Task.isCancelled else { return nil }
    return engine.plainAnswer(to: request) ?? engine.plainAnswerFromDisk(to: request)
  }

  /// Loads a URL into memory.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - delegate: Hears of this task alone; `nil` by default.
  /// - Returns: The body and the response, whatever its status.
  /// - Throws: A `URLError`; `.cancelled` if the Swift task was cancelled.
  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url), delegate: delegate)
  }

  /// Sends `bodyData` and loads the answer into memory.
  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await value(of: uploadTask(with: request, from: bodyData), delegate)
  }

  /// Sends a file and loads the answer into memory.
  public func upload(
    for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await value(of: uploadTask(with: request, fromFile: fileURL), delegate)
  }

  private func value(
    of task: URLSessionDataTask, _ delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (Data, URLResponse) {
    try await value(of: task, delegate) { continuation in task.awaited { continuation.resume(with: $0) } }
  }

  /// Runs a task to its end, of which `completion` tells the continuation.
  func value<Value: Sendable>(
    of task: URLSessionTask, _ delegate: (any URLSessionTaskDelegate)?,
    completion: (CheckedContinuation<Value, any Error>) -> URLSessionTask.Completion
  ) async throws -> Value {
    if let delegate { task.delegate = delegate }
    let value = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        let isPending = task.install(completion(continuation))
        // Cancelled before it began: nothing else will say so.
        guard isPending else { return continuation.resume(throwing: task.error ?? task.cancelledEarly) }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
    // The runtime orders writes before a continuation was resumed, even where it never had to wait; thread
    // sanitizers do not see that of it, and see it of a lock.
    _ = task.state
    return value
  }

  /// Loads `request` into a file that belongs to the caller.
  public func download(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await value(of: downloadTask(with: request), delegate)
  }

  /// Loads `url` into a file that belongs to the caller.
  public func download(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url), delegate: delegate)
  }

  /// Goes on with a download, into a file that belongs to the caller.
  ///
  /// - Parameters:
  ///   - resumeData: As for ``downloadTask(withResumeData:)``.
  ///   - delegate: Hears of this task alone; `nil` by default.
  /// - Returns: The file and the response.
  /// - Throws: A `URLError`, with resume data in its `userInfo` if the download can be gone on with.
  public func download(
    resumeFrom resumeData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await value(of: downloadTask(withResumeData: resumeData), delegate)
  }

  private func value(
    of task: URLSessionDownloadTask, _ delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (URL, URLResponse) {
    try await value(of: task, delegate) { continuation in task.awaited { continuation.resume(with: $0) } }
  }
}
