// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetURLLoading

extension Session {
  /// Ends the session in good order: requests that are under way go on to their end, no other one begins, and the connections
  /// are closed. An addition of this package.
  ///
  /// Requests that are resumed from now on fail with ``AFError/sessionInvalidated(error:)``, before they are adapted or sent. Those
  /// under way keep all that they have, retries included. At the deadline, the others are cancelled: they fail with
  /// ``AFError/explicitlyCancelled``, unless they had failed before, and are not retried. Downloads keep what they have for
  /// ``DownloadRequest/resumeData``.
  ///
  /// Returns when all response handlers have returned, those of earlier requests included, whatever their queues, and all tasks that were made with
  /// ``session`` are over; idle connections are closed then. A handler that does not return keeps it waiting, also beyond the
  /// deadline. So a handler may start a task that awaits this, but must not wait for that task.
  ///
  /// It may be called again, also at the same time: each call waits for all requests, and the earliest deadline counts. If the
  /// awaiting task is cancelled, the deadline is at that moment. The session cannot be used afterwards.
  ///
  /// - Parameter deadline: The time that requests have to come to their end, from now on; zero or less cancels them at once. `nil`, the
  ///   default, waits as long as it takes: a request that is suspended, or a WebSocket that stays open, may take for ever.
  public func shutdown(deadline: Duration? = nil) async {
    let ending = SessionEnding(self, context.active.withLock { $0.refuseFurther() })
    let timer = deadline.map { deadline in
      DeadlineTimer(on: context.loop, seconds: deadline.inSeconds) { ending.cancelRest() }
    }
    timer?.start()
    await withTaskCancellationHandler {
      await withCheckedContinuation { done in context.whenSettled { done.resume() } }
      ending.requestsAreOver()
      await withCheckedContinuation { done in session.whenEnded { done.resume() } }
    } onCancel: {
      ending.cancelRest()
    }
    timer?.cancel()
  }
}

/// One call's part in the end of a session.
private final class SessionEnding: Sendable {
  private struct State {
    var isCancelled = false
    var requestsAreOver = false
  }

  private let session: Session
  private let requests: Set<Request>
  private let state = Locked(State())

  init(_ session: Session, _ requests: Set<Request>) {
    self.session = session
    self.requests = requests
  }

  /// The deadline has come, perhaps for the second time.
  func cancelRest() {
    let requestsAreOver = state.withLock { state in
      state.isCancelled = true
      return state.requestsAreOver
    }
    if requestsAreOver { return session.session.invalidateAndCancel() }
    for request in requests {
      if let download = request as? DownloadRequest {
        download.cancel(producingResumeData: true)
      } else {
        request.cancel()
      }
    }
    // The URLSession is invalidated only after its requests: an earlier end of it would be taken for theirs.
    for task in session.session.unfinishedTasks where !(task.listener is Request) { task.cancel() }
  }

  /// No request has a task any more.
  func requestsAreOver() {
    let isCancelled = state.withLock { state in
      state.requestsAreOver = true
      return state.isCancelled
    }
    if isCancelled {
      session.session.invalidateAndCancel()
    } else {
      session.session.finishTasksAndInvalidate()
    }
  }
}

extension Duration {
  fileprivate var inSeconds: TimeInterval {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
