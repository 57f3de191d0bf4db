import BluebonnetFoundation

/// What loads the tasks of a session.
package protocol TaskEngine: AnyObject, Sendable {
  /// Makes what will load the task. Nothing is loaded yet: the task is locked, and not to be asked for anything that
  /// changes.
  ///
  /// - Parameter listener: Hears of the task in place of the session's delegate, where there is one.
  func makeDriver(for task: URLSessionTask, listener: (any TaskListener)?) -> any TaskDriver
  /// What answers a request without a task, if nobody hears of tasks. May be called from any thread. Default: nil.
  func plainAnswer(to request: URLRequest) -> MemoryResponses.PlainAnswer?
  /// The same from the disk, for which it waits.
  func plainAnswerFromDisk(to request: URLRequest) -> MemoryResponses.PlainAnswer?
  /// The session takes no further tasks; `cancelling` ends those under way. The delegate hears
  /// `didBecomeInvalidWithError` after the last one.
  func invalidate(_ session: URLSession, cancelling: Bool)
  /// Forgets who has asked whom as whom, and closes the connections that are idle, before the completion is called.
  func forget(_ completion: @escaping @Sendable () -> Void)
}

extension TaskEngine {
  package func plainAnswerFromDisk(to request: URLRequest) -> MemoryResponses.PlainAnswer? { nil }
  package func plainAnswer(to request: URLRequest) -> MemoryResponses.PlainAnswer? { nil }
  package func forget(_ completion: @escaping @Sendable () -> Void) { completion() }
}
