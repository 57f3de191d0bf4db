// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetMessages

// The outcome of a task, for a thread that waits for it.
extension URLSessionDataTask {
  /// Resumes the task and waits for its end, for programs without Swift tasks.
  ///
  /// The calling thread runs the session's event loop meanwhile if that is
  /// ``URLSessionConfiguration/EventLoop/drivenByCallers(name:)``; otherwise it sleeps. Delegates are called on the session's queue
  /// as ever: waiting on that queue lasts for ever if there is one. A thread that runs the loop already, in a task on its
  /// `taskExecutor` for one, would wait for itself: that ends the program.
  ///
  /// - Returns: The body and the response, whatever its status.
  /// - Throws: A `URLError`: the task's; also if the task has begun before, has a completion handler, or has completed.
  @available(*, noasync, message: "await URLSession.data(for:) instead")
  public func wait() throws -> (Data, URLResponse) { try wait(awaited) }

  func awaited(_ answer: @escaping @Sendable (Result<(Data, URLResponse), any Error>) -> Void) -> Completion {
    // The task keeps this closure.
    weak let task = self
    return .data(
      { data, response, error in answer(Self.outcome(of: task, data ?? Data(), response, error)) },
      isOurs: true)
  }
}

extension URLSessionDownloadTask {
  /// Resumes the task and waits for its end, as ``URLSessionDataTask/wait()`` does.
  ///
  /// - Returns: A file that belongs to the caller, and the response, whatever its status.
  /// - Throws: A `URLError`, with resume data in its `userInfo` if the download can be gone on with; also if the task has begun
  ///   before, has a completion handler, or has completed.
  @available(*, noasync, message: "await URLSession.download(for:) instead")
  public func wait() throws -> (URL, URLResponse) { try wait(awaited) }

  func awaited(_ answer: @escaping @Sendable (Result<(URL, URLResponse), any Error>) -> Void) -> Completion {
    // The task keeps this closure.
    .file(
      { [weak self] file, response, error in
        let outcome = Self.outcome(of: self, file, response, error)
        answer(outcome.flatMap { file, response in Result { (try Self.keep(file), response) } })
      }, isOurs: true)
  }

  /// A completion handler's file is deleted when the handler returns, so it is moved aside.
  private static func keep(_ file: URL) throws -> URL {
    let kept = file.deletingLastPathComponent().appendingPathComponent("bluebonnet-" + file.lastPathComponent)
    try FileManager.default.moveItem(at: file, to: kept)
    return kept
  }
}

extension URLSessionTask {
  /// The arguments of a completion handler, as one value.
  fileprivate static func outcome<Value>(
    of task: URLSessionTask?, _ value: Value?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<(Value, URLResponse), any Error> {
    if let error { return .failure(error) }
    guard let value, let response else {
      return .failure(task?.endedWithoutResponse ?? URLError(.badServerResponse))
    }
    return .success((value, response))
  }

  fileprivate func wait<Value: Sendable>(
    _ completion: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Completion
  ) throws -> Value {
    // The same as `Awaited.value`; that is not specialized here and would look up types for a tenth of a small request.
    let awaited = Awaited(on: session.settings.eventLoop.loop)
    let outcome = Locked<Result<Value, any Error>?>(nil)
    awaited.wait {
      let answer: @Sendable (Result<Value, any Error>) -> Void = { result in
        outcome.withLock { $0 = result }
        awaited.happen()
      }
      guard installBeforeBeginning(completion(answer)) else { return answer(.failure(obstacleToWaiting)) }
      resume()
    }
    guard let result = outcome.withLock({ $0.take() }) else {
      preconditionFailure("a completed wait has a value")
    }
    return try result.get()
  }

  private var obstacleToWaiting: any Error {
    if state == .completed || state == .canceling { return error ?? cancelledEarly }
    return URLError.loading(
      .unknown, url: currentRequest?.url, phase: .preparing,
      reason: "only a task that has not begun and has no completion handler can be waited for")
  }
}
