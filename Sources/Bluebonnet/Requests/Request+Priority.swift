// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// Says how urgent the request is, beside others of its session that wait for their turn
  /// (`URLSessionConfiguration.requestLimit`) or for a connection: the highest goes first, and among equals the first one.
  /// A later call says otherwise, also while the request waits.
  ///
  /// It is the `URLSessionTask.priority` of the request's tasks, those of retries included.
  ///
  /// - Parameter priority: From 0 to 1; 0.5 for requests that say nothing. `URLSessionTask` names three of them.
  /// - Returns: The request.
  @discardableResult
  public func priority(_ priority: Float) -> Self {
    let task = protected.withLock { state in
      state.ownRareState.priority = priority
      return state.tasks.last
    }
    task?.priority = priority
    return self
  }
}
