// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// The listener of a load: a delegate of the task's own, or else the task's owner, or else the session's delegate.
extension Load {
  /// The task's own delegate.
  var ownDelegate: (any URLSessionTaskDelegate)? {
    state.task.hasDelegate.load(ordering: .acquiring) ? state.task.delegate : nil
  }

  /// The listener of the load. A delegate of the task's own comes first.
  ///
  /// Where there has been one, the queue of the delegates stays in use, also when it has been taken away: later events
  /// must not overtake those waiting there.
  var listener: (any TaskListener)? {
    state.task.hasDelegate.load(ordering: .acquiring)
      ? listener(of: state.task.delegate) : owner ?? engine.listener
  }

  /// Whether the listener is the session's delegate, which speaks for all of its requests; a task's own one and an owner speak for
  /// that one.
  var isHeardBySession: Bool { ownDelegate == nil && listener === engine.listener }

  /// The listener for an evaluator that `trustEvaluator` has named, and no other: another thread may have given the task
  /// another delegate since.
  func listener(for evaluator: AnyObject?) -> (any TaskListener)? {
    guard state.task.hasDelegate.load(ordering: .acquiring) else { return owner ?? engine.listener }
    let isOwn = evaluator !== engine.listener?.taskDelegate
    return listener(of: isOwn ? evaluator as? any URLSessionTaskDelegate : nil)
  }

  /// - Parameter delegate: The task's own; nil where it has been taken away.
  private func listener(of delegate: (any URLSessionTaskDelegate)?) -> (any TaskListener)? {
    let executor = state.task.session.userExecutor
    if let delegate {
      return DelegateListener(own: delegate, before: engine.listener, executor: executor)
    }
    return engine.listener.map { DelegateListener($0, executor: executor) } ?? owner
  }
}
