// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Loads one task: over the network, with a `URLProtocol`, or by other means. The task has already changed
/// its own state when a call arrives here.
package protocol TaskDriver: AnyObject, Sendable {
  /// Begins, but not before a date if there is one. The first call, unless the task is cancelled before.
  func start(notBefore date: Date?)
  /// Goes on after `suspend()`.
  func resume()
  /// Rests: no further bytes are read.
  func suspend()
  /// A reader of the task's body has come to hold it back, or does so no longer, whatever the caller's suspensions.
  ///
  /// - Parameter isHeld: says which, when the driver comes to it: calls from two threads may overtake each other.
  func hold(while isHeld: @escaping @Sendable () -> Bool)
  /// The task has another priority.
  func priorityChanged()
  /// Ends the task well, without the rest of its response's body.
  func endWithoutRest()
  /// Ends the task with `URLError.cancelled`.
  func cancel()
  /// Ends a download and hands over the data needed to go on with it, if it can.
  func cancel(byProducingResumeData completion: @escaping @Sendable (Data?) -> Void)
}

extension TaskDriver {
  package func priorityChanged() {}
  package func endWithoutRest() { cancel() }
}
