// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSession {
  /// Takes no further tasks and ends those under way.
  public func invalidateAndCancel() { invalidate(cancelling: true) }

  /// Takes no further tasks; those under way go on to their end.
  public func finishTasksAndInvalidate() { invalidate(cancelling: false) }

  private func invalidate(cancelling: Bool) {
    let engine = state.withLock { state -> (any TaskEngine)? in
      if state.isInvalidated && !cancelling { return nil }
      state.isInvalidated = true
      return state.engine
    }
    engine?.invalidate(self, cancelling: cancelling)
  }

  /// Whether the session takes no further tasks.
  package var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

  /// Calls back once the last task of the session, which has been invalidated, is over and its idle connections are closed; on any
  /// thread.
  package func whenEnded(_ completion: @escaping @Sendable () -> Void) {
    guard let engine else { return completion() }
    engine.whenEnded(completion)
  }

  /// Counts the session's connections, and calls back on any thread.
  package func countConnections(_ completion: @escaping @Sendable (ConnectionCounts) -> Void) {
    guard let engine else { return completion(ConnectionCounts()) }
    engine.countConnections(completion)
  }

  /// Gives the delegate up, once it has heard that the session is invalid.
  package func releaseDelegate() {
    let delegate = state.withLock { state -> (any URLSessionDelegate)? in
      defer { state.delegate = nil }
      return state.delegate
    }
    // Let go outside the lock: a deinit may call back into the session.
    withExtendedLifetime(delegate) {}
  }

  /// The tasks that have been made and have not completed.
  package var unfinishedTasks: [URLSessionTask] {
    state.withLock { $0.tasks.all }
  }

  /// Forgets a task that has completed; says whether it was the last one of an invalidated session.
  @discardableResult
  package func forget(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      state.tasks.remove(number: task.taskIdentifier)
      return state.isInvalidated && state.tasks.isEmpty
    }
  }

  /// Hands the unfinished tasks to `completionHandler`, by kind, on the delegate queue.
  public func getTasksWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void
  ) {
    let tasks = unfinishedTasks
    userExecutor.async {
      let uploads = tasks.compactMap { $0 as? URLSessionUploadTask }
      let data = tasks.compactMap { $0 is URLSessionUploadTask ? nil : $0 as? URLSessionDataTask }
      completionHandler(data, uploads, tasks.compactMap { $0 as? URLSessionDownloadTask })
    }
  }

  /// Hands the unfinished tasks to `completionHandler` on the delegate queue.
  public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    let tasks = unfinishedTasks
    userExecutor.async { completionHandler(tasks) }
  }

  /// The tasks that have not completed, suspended ones included.
  public var allTasks: [URLSessionTask] {
    get async { unfinishedTasks }
  }

  /// Writes what waits to be written: responses to the cache's disk or store, cookies to their storage's file; closes idle
  /// connections, and forgets TLS sessions. Then calls back on the delegate queue. A connection in use is kept, and may be used
  /// again. A store of your own that never ends a change keeps the call waiting.
  public func flush(completionHandler: @escaping @Sendable () -> Void) {
    let flushStorages: @Sendable () -> Void = { [settings, userExecutor] in
      let flushCookies: @Sendable () -> Void = {
        guard let cookies = settings.httpCookieStorage else { return userExecutor.async(completionHandler) }
        cookies.flush { userExecutor.async(completionHandler) }
      }
      guard let cache = settings.urlCache else { return flushCookies() }
      cache.flush(flushCookies)
    }
    guard let engine else { return flushStorages() }
    engine.closeIdle(flushStorages)
  }

  /// Empties cookies, credentials and responses, forgets accepted credentials, and closes idle connections; then
  /// calls back on the delegate queue.
  public func reset(completionHandler: @escaping @Sendable () -> Void) {
    settings.httpCookieStorage?.removeCookies(since: .distantPast)
    settings.urlCredentialStorage?.removeAll()
    settings.urlCache?.removeAllCachedResponses()
    guard let engine else { return userExecutor.async(completionHandler) }
    engine.forget { [userExecutor] in userExecutor.async(completionHandler) }
  }
}
