// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// The listener of a task, told of it and asked about it, for its owner: a request of the API, or the delegates of a session.
///
/// Called on `executor`. On the loop's, it is told in loop context: it has to be quick there, and runs no code of the user's.
package protocol TaskListener: AnyObject, Sendable {
  /// The executor on which the listener is told and asked.
  var executor: CallbackExecutor { get }

  /// Whether `executor` is the loop's: then the listener is told at once.
  var isOnLoop: Bool { get }

  /// The name of the type with the handlers that answer, for messages to its author. Default: the listener's own.
  var ownerName: String { get }

  /// Something has happened to the task.
  func hear(_ event: LoadEvent, of task: URLSessionTask)

  /// The task's way depends on an answer, which is given once, at once or later, from any thread.
  func answer(_ question: LoadQuestion, of task: URLSessionTask)

  // MARK: What is asked in loop context, and answered there

  /// Whether the listener wants to know what goes out.
  var hearsTransmission: Bool { get }

  /// Whether pieces of a data task's body are wanted at all.
  var takesData: Bool { get }

  /// Whether the listener puts the pieces of the body together, so that it is in memory as a whole in the end.
  func keepsBody(of task: URLSessionTask) -> Bool

  /// Tells of the head of a data task's final response a listener that lets its body come at once; one that wants to be asked answers
  /// false, and has not been told. Only where the listener's executor is the loop's. Default: false.
  func accepts(_ response: URLResponse, of task: URLSessionTask) -> Bool

  /// Whether the task has a credential of its own. Called on any thread. Default: false.
  func presentsCredential(for task: URLSessionTask) -> Bool

  /// The owner's credential for this space, as far as it is known without a question. Default: nil.
  func credential(for space: URLProtectionSpace, of task: URLSessionTask) -> URLCredential?
}

extension TaskListener {
  package var isOnLoop: Bool { executor.isLoop }
  package var ownerName: String { "\(type(of: self))" }
  package var hearsTransmission: Bool { false }
  package func accepts(_ response: URLResponse, of task: URLSessionTask) -> Bool { false }
  package func presentsCredential(for task: URLSessionTask) -> Bool { false }
  package func credential(for space: URLProtectionSpace, of task: URLSessionTask) -> URLCredential? { nil }

  /// Has the listener hear of an event where it is told. Called while the loop is held.
  func tell(_ event: LoadEvent, of task: URLSessionTask) {
    if isOnLoop { return hear(event, of: task) }
    executor.async { self.hear(event, of: task) }
  }

  /// Has the listener answer a question where it is asked. Called while the loop is held.
  func ask(_ question: LoadQuestion, of task: URLSessionTask) {
    if isOnLoop { return answer(question, of: task) }
    executor.async { self.answer(question, of: task) }
  }
}
