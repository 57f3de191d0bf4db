import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

extension TaskLoad {
  /// A delegate of the task's own goes before the session's.
  var taskDelegate: (any URLSessionTaskDelegate)? { task.delegate ?? engine.taskDelegate }

  var dataDelegate: (any URLSessionDataDelegate)? {
    task.delegate as? any URLSessionDataDelegate ?? engine.dataDelegate
  }

  /// The one way out: the task completes, its delegate hears the metrics and then the end.
  func finish(_ error: URLError?) { end(with: error) }

  /// The same with an error of a `URLProtocol`, which may be any.
  func end(with error: (any Error)?) {
    if case .finished = phase { return }
    if case .gathering(let data) = sink, error == nil {
      // As one piece, as the task prefers it.
      sink = .delegate
      if !data.isEmpty { hand(data) }
    }
    phase = .finished
    detour?.end(on: engine.loop)
    if let resourceTimer { engine.loop.cancel(resourceTimer) }
    resourceTimer = nil
    guard case .file(let file) = sink else { return completed(with: error) }
    file.close(isNeeded: error == nil) { [self] fault in
      engine.loop.execute { [self] in completed(with: error ?? fault) }
    }
  }

  private func completed(with error: (any Error)?) {
    let error = error.map { ($0 as? URLError)?.naming(request) ?? $0 }
    let metrics = URLSessionTaskMetrics(
      transaction: transaction, earlier: earlierTransactions, redirectCount: redirects.count, clock: clock,
      start: clock.monotonic, end: MonotonicTime.now().nanoseconds)
    guard task.complete(with: error) else {
      if case .file(let file) = sink { file.remove() }
      return engine.ended(self)
    }
    if error == nil, copy != nil { offerToCache() }
    let (task, session, delegate) = (task, task.session, taskDelegate)
    if let completion = task.completion {
      call(completion, error)
    } else if let delegate {
      if case .file(let file) = sink { error == nil ? handOver(file) : file.remove() }
      if engine.lane.isLoop {
        Self.tell(delegate, session, task, metrics, error)
      } else {
        engine.lane.async { Self.tell(delegate, session, task, metrics, error) }
      }
    } else if case .file(let file) = sink {
      file.remove()
    }
    engine.ended(self)
  }

  private static func tell(
    _ delegate: any URLSessionTaskDelegate, _ session: URLSession, _ task: URLSessionTask,
    _ metrics: URLSessionTaskMetrics, _ error: (any Error)?
  ) {
    delegate.urlSession(session, task: task, didFinishCollecting: metrics)
    delegate.urlSession(session, task: task, didCompleteWithError: error)
  }

  private func call(_ completion: URLSessionTask.Completion, _ error: (any Error)?) {
    let response = task.response
    switch (completion, sink) {
    case (.data(let handler), .memory(let data)):
      engine.lane.run { handler(error == nil ? data : nil, response, error) }
    case (.data(let handler), _): engine.lane.run { handler(nil, response, error) }
    case (.file(let handler), .file(let file)):
      engine.lane.run {
        handler(error == nil ? file.url : nil, response, error)
        file.remove()
      }
    case (.file(let handler), _): engine.lane.run { handler(nil, response, error) }
    }
  }
}
