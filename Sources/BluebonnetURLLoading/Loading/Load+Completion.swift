// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

extension Load {
  /// Nothing more comes from where the response came from.
  ///
  /// - Parameter error: Why not, unless all of it has come.
  func sourceEnded(_ transaction: consuming LoadTransaction, _ error: (any Error)?) {
    if let timer = state.timers.discard.take() { engine.loop.cancel(timer) }
    leaveSource(transaction)
    if let ending = state.ending { return finish(ending) }
    guard case .discarding(then: let next) = state.phase else { return end(with: error) }
    if error != nil { state.incoming.dropCopy() }
    perform(next)
  }

  /// There is no source for now.
  func leaveSource(_ transaction: consuming LoadTransaction) {
    state.source = nil
    state.add(transaction, clock: clock)
  }

  /// Completes the task, and tells its listener, or its completion handler.
  func endTask(with error: (any Error)?) {
    let metrics = URLSessionTaskMetrics(
      state.takeTransaction(), earlier: state.earlierTransactions,
      redirectCount: state.redirectCount, clock: clock, start: clock.monotonic,
      end: engine.loop.instant.nanoseconds)
    let (task, listener) = (state.task, listener)
    defer { engine.ended(task, isCounted: state.isCounted) }
    // A listener that is told at once keeps the task, which must not keep it, too; one behind a delegate is still looked for.
    // Which it is has been decided above: the task may be given a delegate at this very moment.
    let isTold = owner.map { listener === $0 } ?? false
    guard let completion = task.end(with: error, releasesListener: isTold) else { return }
    // Before the end is told: a task that has completed is none of its session's.
    task.session.forget(task)
    if let completion {
      listener?.tell(.measured(metrics), of: task)
      state.incoming.sink.hand(
        to: completion, task.response, error, on: task.session.userExecutor,
        isNext: listener?.isOnLoop ?? true)
    } else {
      listener?.tell(.completed(error, metrics), of: task)
    }
  }

  /// The failure of an exchange as the caller sees it.
  func failure(_ error: TransportError, of exchange: RequestDriver) -> any Error {
    // What the caller's own code threw is what the caller is told.
    if case .bodySource(_, let cause?) = error.cause { return cause }
    return URLError.transport(
      error,
      of: FailedExchange(
        url: state.request.url, method: state.request.httpMethod, response: state.response,
        bodyBytes: exchange.responseBodyBytes))
  }
}
