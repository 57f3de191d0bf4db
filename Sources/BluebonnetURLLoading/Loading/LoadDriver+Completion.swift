import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

extension LoadDriver {
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

  /// The one way out: received bytes are handed over, the task completes, its listener hears of the end.
  func finish(_ error: URLError?) { end(with: error) }

  /// The same with any error, of a `URLProtocol`.
  func end(with error: (any Error)?) {
    switch state.phase {
    case .finished: return
    // Cancelled or out of time, while the listener takes its own. A file is dealt with first, by the code that closes it or has
    // handed it over.
    case .concluding: if case .file = state.incoming.sink { return } else { return complete(with: error) }
    case .initial, .loading, .deciding, .receiving, .discarding: break
    }
    if case .gathering(let data) = state.incoming.sink, error == nil {
      // As one piece, as the task prefers it.
      state.incoming.sink = .delegate
      if !data.isEmpty { delivery.hand(data) }
    }
    state.machine.conclude()
    engine.requests?.leave(self)
    // Before the load is counted, the request may be in the making on another thread.
    if state.isCounted { prepared.drop() } else { dropPart() }
    state.delayedStart?.cancel()
    state.connectivity?.cancel()
    guard case .file(let file) = state.incoming.sink else {
      if error != nil || !state.incoming.isCopied { return complete(with: error) }
      return offerToCache { [self] in complete(with: nil) }
    }
    file.close(isNeeded: error == nil) { [self] fault in
      engine.loop.execute { [self] in conclude(file, error ?? fault) }
    }
  }

  /// The file is closed.
  private func conclude(_ file: DownloadFile, _ error: (any Error)?) {
    let download = DownloadDriver(load: self, file: file)
    if let error = error ?? state.ending ?? download.shortfall { return download.keep(after: error) }
    offerToCache { [self] in
      if let ending = state.ending { return DownloadDriver(load: self, file: file).keep(after: ending) }
      // All of it is here. What the listener does with it, and how long that takes, is its own affair.
      endResourceTime()
      // A completion handler is shown the file when it is called.
      if state.task.completion != nil { return complete(with: nil) }
      delivery.handOver(file) { [self] in complete(with: nil) }
    }
  }

  private func endResourceTime() {
    if let timer = state.timers.resource.take() { engine.loop.cancel(timer) }
  }

  func complete(with error: (any Error)?) {
    if case .finished = state.phase { return }
    state.machine.finish()
    // With it goes the connection that it has been bound to.
    if state.originChallenges != nil { state.originChallenges = nil }
    if state.proxy != nil { state.proxy = nil }
    if state.cache != nil { leaveCache() }
    endResourceTime()
    let named = error.map { ($0 as? URLError)?.naming(state.request) ?? $0 }
    let error = if let link = state.webSocket { driver(of: link).end(with: named) } else { named }
    let metrics = URLSessionTaskMetrics(
      state.takeTransaction(), earlier: state.earlierTransactions,
      redirectCount: state.machine.redirects.count, clock: clock, start: clock.monotonic,
      end: engine.loop.instant.nanoseconds)
    let (task, listener) = (state.task, listener)
    // A listener that is told at once keeps the task, which must not keep it, too; one behind a delegate is still looked for.
    // Which it is has been decided above: the task may be given a delegate at this very moment.
    let isTold = owner.map { listener === $0 } ?? false
    guard let completion = task.end(with: error, releasesListener: isTold) else { return tellEngine() }
    // Before the end is told: a task that has completed is none of its session's.
    task.session.forget(task)
    if let completion {
      if let listener { listener.executor.run { listener.task(task, didFinishCollecting: metrics) } }
      call(completion, error, isNext: listener?.isOnLoop ?? true)
    } else if let listener {
      if listener.isOnLoop {
        listener.task(task, didCompleteWith: error, metrics)
      } else {
        listener.executor.async { listener.task(task, didCompleteWith: error, metrics) }
      }
    }
    tellEngine()
  }

  private func tellEngine() { engine.ended(state.task, isCounted: state.isCounted) }

  /// The queue on which files are moved for waiting callers, though their delegate queue may be busy.
  private static let fileQueue = DispatchQueue(label: "bluebonnet.downloads")

  /// - Parameter isNext: No delegate is still to hear anything that has to come before.
  private func call(_ completion: URLSessionTask.Completion, _ error: (any Error)?, isNext: Bool) {
    let (response, executor) = (state.task.response, state.task.session.userExecutor)
    switch completion {
    case .data(let handler, let isOurs):
      let data: Data? = if error == nil, case .memory(let data) = state.incoming.sink { data } else { nil }
      if isOurs, isNext { return handler(data, response, error) }
      executor.run { handler(data, response, error) }
    case .file(let handler, let isOurs):
      let executor = isOurs && isNext ? .queue(Self.fileQueue) : executor
      guard case .file(let file) = state.incoming.sink else {
        return executor.run { handler(nil, response, error) }
      }
      executor.run {
        handler(error == nil ? file.url : nil, response, error)
        file.remove()
      }
    case .reader(let reader): reader.finish(error)
    }
  }
}
