import BluebonnetEventLoop
import BluebonnetFoundation

// URLSessionTask.earliestBeginDate.
extension TaskLoad {
  /// The wall clock may be set meanwhile, so it is looked at from time to time.
  private static var longestNap: TimeInterval { 60 }

  /// Waits for the task's earliest date, then lets the delegate decide about the request.
  func wait(until date: Date) {
    guard !state.isOver else { return }
    if let obstacle = obstacleToBeginning() {
      dropPart()
      return stop(obstacle)
    }
    nap(until: date)
  }

  private func nap(until date: Date) {
    let rest = date.timeIntervalSince1970 - engine.loop.secondsSince1970
    guard rest > 0 else { return delayIsOver() }
    let nap = UInt64(min(rest, Self.longestNap) * 1e9) &+ 1
    // Taken back when the load ends, so it keeps nothing alive for longer.
    state.timers.pause = engine.loop.schedule(
      at: MonotonicTime(nanoseconds: engine.loop.instant.nanoseconds &+ nap)
    ) {
      self.state.timers.pause = nil
      self.nap(until: date)
    }
  }

  /// The date has passed; a suspended task begins when it is resumed.
  func delayIsOver() {
    guard !state.isOver else { return }
    state.mayBegin = isSuspended
    if isSuspended { return }
    guard let listener else { return prepareAndBegin(state.request) }
    let question = state.ask(.delayedRequest)
    listener.executor.run { [self, task = state.task, request = state.request] in
      listener.task(task, willBeginDelayed: request) { [self] answer, next in
        engine.loop.execute { [self] in
          if take(question) { decided(answer, next) }
        }
      }
    }
  }

  private func decided(_ answer: URLSession.DelayedRequestDisposition, _ next: URLRequest?) {
    state.phase = .initial
    switch (answer, next) {
    case (.continueLoading, _): prepareAndBegin(state.request)
    case (.useNewRequest, let next?):
      state.request = next
      state.task.setCurrentRequest(next)
      prepareAndBegin(next)
    case (.useNewRequest, nil), (.cancel, _):
      stop(
        .loading(
          .cancelled, url: state.request.url, phase: .cancelling,
          reason: "the delegate cancelled the delayed load")
      )
    }
  }

  /// Not in loop context: a body's file is looked at, and the user's storages may be asked.
  private func prepareAndBegin(_ request: URLRequest) {
    state.phase = .initial
    let task = state.task
    let hasRequest = task.originalRequest != nil
    (engine.storageQueue ?? .global()).async { [self] in
      let request = hasRequest ? request : nil
      whenPartOpens(for: request) { [self] in
        let prepared = prepared(for: task, request)
        engine.loop.execute { [self] in
          if state.isOver { return dropPart() }
          self.prepared = prepared
          begin(at: engine.loop.now.nanoseconds)
        }
      }
    }
  }

  private func prepared(for task: URLSessionTask, _ request: URLRequest?) -> PreparedRequest {
    var prepared = PreparedRequest()
    if let request {
      prepared.prepare(for: task, request, engine.requestBuilder)
    } else {
      prepared.prepare(for: task, engine.requestBuilder)
    }
    return prepared
  }
}
