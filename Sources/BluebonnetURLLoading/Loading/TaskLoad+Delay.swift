import BluebonnetEventLoop
import BluebonnetFoundation

// URLSessionTask.earliestBeginDate.
extension TaskLoad {
  /// The wall clock may be set meanwhile, so it is looked at from time to time.
  private static var longestNap: TimeInterval { 60 }

  /// Waits for the task's earliest date, then lets the delegate decide what is sent.
  func wait(until date: Date) {
    guard !isOver else { return }
    guard engine.begins(self) else {
      return stop(
        .loading(.cancelled, url: request.url, phase: .preparing, reason: "the session is invalidated"))
    }
    nap(until: date)
  }

  private func nap(until date: Date) {
    let rest = date.timeIntervalSinceNow
    guard rest > 0 else { return delayIsOver() }
    let nap = UInt64(min(rest, Self.longestNap) * 1e9) &+ 1
    // Taken back when the load ends, so it keeps nothing alive for longer.
    ownDetour.timer = engine.loop.schedule(
      at: MonotonicTime(nanoseconds: MonotonicTime.now().nanoseconds &+ nap)
    ) {
      self.detour?.timer = nil
      self.nap(until: date)
    }
  }

  /// The date has passed; a suspended task begins when it is resumed.
  func delayIsOver() {
    guard !isOver else { return }
    let detour = ownDetour
    detour.mayBegin = isSuspended
    if isSuspended { return }
    guard let listener else { return prepareAndBegin(request) }
    phase = .deciding
    listener.executor.run { [self, task, request] in
      listener.task(task, willBeginDelayed: request) { [self] answer, next in
        engine.loop.execute { [self] in decided(answer, next) }
      }
    }
  }

  private func decided(_ answer: URLSession.DelayedRequestDisposition, _ next: URLRequest?) {
    guard case .deciding = phase else { return }
    phase = .initial
    switch (answer, next) {
    case (.continueLoading, _): prepareAndBegin(request)
    case (.useNewRequest, let next?):
      request = next
      task.setCurrentRequest(next)
      prepareAndBegin(next)
    case (.useNewRequest, nil), (.cancel, _):
      stop(
        .loading(
          .cancelled, url: request.url, phase: .cancelling, reason: "the delegate cancelled the delayed load")
      )
    }
  }

  /// Not in loop context: a body's file is looked at, and the user's storages may be asked.
  private func prepareAndBegin(_ request: URLRequest) {
    phase = .initial
    let hasRequest = task.originalRequest != nil
    (engine.storageQueue ?? .global()).async { [self, task] in
      let heads = engine.heads
      let prepared =
        hasRequest ? PreparedRequest(of: task, request, heads) : PreparedRequest(of: task, heads)
      engine.loop.execute { [self] in
        if !isOver { begin(prepared) }
      }
    }
  }
}
