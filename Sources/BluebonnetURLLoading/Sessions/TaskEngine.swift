import BluebonnetFoundation

/// What drives the tasks of a session. The task has already changed its own state when a call arrives here.
package protocol TaskEngine: AnyObject, Sendable {
  /// Starts the task, or lets it go on.
  func resume(_ task: URLSessionTask)
  /// Lets the task rest: no further bytes are read.
  func suspend(_ task: URLSessionTask)
  /// A reader of the task's body has come to hold it back, or does so no longer, whatever the caller's suspensions.
  ///
  /// - Parameter isHeld: says which, when the engine comes to it: calls from two threads may overtake each other.
  func hold(_ task: URLSessionTask, while isHeld: @escaping @Sendable () -> Bool)
  /// Ends the task with `URLError.cancelled`.
  func cancel(_ task: URLSessionTask)
  /// Ends a download and hands over what is needed to go on with it, if it can.
  func cancel(
    _ task: URLSessionDownloadTask, byProducingResumeData completion: @escaping @Sendable (Data?) -> Void)
  /// The session takes no further tasks; `cancelling` ends those under way. The delegate hears
  /// `didBecomeInvalidWithError` after the last one.
  func invalidate(_ session: URLSession, cancelling: Bool)
}
