import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

extension TaskLoad {
  var ownDelegate: (any URLSessionTaskDelegate)? {
    task.hasDelegate.load(ordering: .acquiring) ? task.delegate : nil
  }

  /// Who hears of the load. A delegate of the task's own goes before anybody else.
  var listener: (any TaskListener)? {
    guard let delegate = ownDelegate else { return owner ?? engine.listener }
    return DelegateListener(own: delegate, before: engine.listener, executor: task.session.userExecutor)
  }

  /// The one way out: what has come is handed over, the task completes, its listener hears of the end.
  func finish(_ error: URLError?) { end(with: error) }

  /// The same with an error of a `URLProtocol`, which may be any.
  func end(with error: (any Error)?) {
    switch phase {
    case .finished: return
    // Cancelled or out of time, while the listener takes its own. A file is seen to first, by whoever closes it or has
    // handed it over.
    case .concluding: if case .file = sink { return } else { return complete(with: error) }
    case .initial, .loading, .deciding, .receiving, .discarding: break
    }
    if case .gathering(let data) = sink, error == nil {
      // As one piece, as the task prefers it.
      sink = .delegate
      if !data.isEmpty { hand(data) }
    }
    phase = .concluding
    detour?.end(on: engine.loop)
    guard case .file(let file) = sink else {
      if error != nil || copy == nil { return complete(with: error) }
      return offerToCache { [self] in complete(with: nil) }
    }
    file.close(isNeeded: error == nil) { [self] fault in
      engine.loop.execute { [self] in conclude(file, error ?? fault) }
    }
  }

  /// The file is closed.
  private func conclude(_ file: DownloadFile, _ error: (any Error)?) {
    if let error = error ?? ending { return drop(file, error) }
    offerToCache { [self] in
      if let ending { return drop(file, ending) }
      // All of it is here. What the listener does with it, and how long that takes, is its own affair.
      endResourceTime()
      // A completion handler is shown the file when it is called.
      if task.completion != nil { return complete(with: nil) }
      handOver(file) { [self] in complete(with: nil) }
    }
  }

  private func drop(_ file: DownloadFile, _ error: any Error) {
    file.remove { [self] in engine.loop.execute { [self] in complete(with: error) } }
  }

  private func endResourceTime() {
    if let timer = resourceTimer.take() { engine.loop.cancel(timer) }
  }

  private func complete(with error: (any Error)?) {
    if case .finished = phase { return }
    phase = .finished
    endResourceTime()
    let error = error.map { ($0 as? URLError)?.naming(request) ?? $0 }
    let metrics = URLSessionTaskMetrics(
      transaction: transaction, earlier: earlierTransactions, redirectCount: redirects.count, clock: clock,
      start: clock.monotonic, end: MonotonicTime.now().nanoseconds)
    let listener = listener
    guard let completion = task.end(with: error) else { return engine.ended(self) }
    // Before anybody hears of the end: a task that has completed is none of its session's.
    task.session.forget(task)
    if let completion {
      call(completion, error)
    } else if let listener {
      if listener.executor.isLoop {
        listener.task(task, didCompleteWith: error, metrics)
      } else {
        listener.executor.async { [task] in listener.task(task, didCompleteWith: error, metrics) }
      }
    }
    engine.ended(self)
  }

  private func call(_ completion: URLSessionTask.Completion, _ error: (any Error)?) {
    let (response, executor) = (task.response, task.session.userExecutor)
    switch (completion, sink) {
    case (.data(let handler), .memory(let data)):
      executor.run { handler(error == nil ? data : nil, response, error) }
    case (.data(let handler), _): executor.run { handler(nil, response, error) }
    case (.file(let handler), .file(let file)):
      executor.run {
        handler(error == nil ? file.url : nil, response, error)
        file.remove()
      }
    case (.file(let handler), _): executor.run { handler(nil, response, error) }
    }
  }
}
