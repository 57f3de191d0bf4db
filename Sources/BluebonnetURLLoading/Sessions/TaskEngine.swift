// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation

/// Loads the tasks of a session.
package protocol TaskEngine: AnyObject, Sendable {
  /// Makes what will load the task. Nothing is loaded yet: the task is locked, and not to be asked for anything that
  /// changes.
  ///
  /// - Parameter listener: Hears of the task in place of the session's delegate, where there is one.
  func makeDriver(for task: URLSessionTask, listener: (any TaskListener)?) -> any TaskDriver
  /// The answer to a request without a task, if tasks have no listener. May be called from any thread. Default: nil.
  func plainAnswer(to request: URLRequest) -> InMemoryResponseStore.PlainAnswer?
  /// The same from the disk, for which it waits.
  func plainAnswerFromDisk(to request: URLRequest) -> InMemoryResponseStore.PlainAnswer?
  /// The session takes no further tasks; `cancelling` ends those under way. The delegate hears
  /// `didBecomeInvalidWithError` after the last one.
  func invalidate(_ session: URLSession, cancelling: Bool)
  /// Forgets the credentials for all servers, and closes the connections that are idle, before the completion is called.
  func forget(_ completion: @escaping @Sendable () -> Void)
  /// Closes the connections that are idle, before the completion is called.
  func closeIdle(_ completion: @escaping @Sendable () -> Void)
  /// Calls back once the last task of the session, which has been invalidated, is over and its idle connections are closed.
  func whenEnded(_ completion: @escaping @Sendable () -> Void)
  /// Counts the connections.
  func countConnections(_ completion: @escaping @Sendable (ConnectionCounts) -> Void)
}

/// The connections of a session at one moment.
package struct ConnectionCounts: Sendable {
  /// Open ones, in use or idle.
  package var open = 0
  /// Open ones that no request uses.
  package var idle = 0
  /// Requests that wait for a connection, or for their turn.
  package var waiting = 0

  package init() {}
}

extension TaskEngine {
  package func plainAnswerFromDisk(to request: URLRequest) -> InMemoryResponseStore.PlainAnswer? { nil }
  package func plainAnswer(to request: URLRequest) -> InMemoryResponseStore.PlainAnswer? { nil }
  package func forget(_ completion: @escaping @Sendable () -> Void) { completion() }
  package func closeIdle(_ completion: @escaping @Sendable () -> Void) { completion() }
  package func whenEnded(_ completion: @escaping @Sendable () -> Void) { completion() }
  package func countConnections(_ completion: @escaping @Sendable (ConnectionCounts) -> Void) {
    completion(ConnectionCounts())
  }
}
