import BluebonnetFoundation

extension Request {
  /// Adds a response handler; the first one starts the request unless it is told not to.
  func add(_ job: ResponseJob) {
    // Without a session the request cannot run, but whoever waits for it must be told so.
    let starts = shouldAutomaticallyResume ?? delegate?.startImmediately ?? true
    let step = protected.withLock { state in
      state.handlers.append(job)
      return state.life.addHandler(startsRequest: starts)
    }
    switch step {
    case .wait: break
    case .resume: resume()
    case .serve: context.step { self.serveHandlers() }
    }
  }

  /// Serves handlers until one has to leave for the serialization queue, then all completions at once.
  func serveHandlers() {
    while true {
      let (step, jobs, count, gates) = protected.withLock { state in
        let step = state.life.nextResponse()
        defer { if step == .deliver { state.handlers = Few() } }
        return (step, state.handlers, state.data?.count ?? 0, state.gates)
      }
      switch step {
      case .wait:
        return
      case .run(let index):
        guard let job = jobs[index] else { return }
        guard context.isOnLoop, job.isQuick(for: count) else {
          return context.serializationQueue.async { self.serveAway(job) }
        }
        guard settle(job, failing: job.serialize()) else { return }
      case .deliver:
        return deliver(jobs, behind: gates)
      }
    }
  }

  /// Hands the responses out, with which the request is over: the session knows nothing of it any more, and its
  /// reports on the session's queue, or on a handler's own, come first.
  private func deliver(_ jobs: Few<ResponseJob>, behind gates: [ReportGate]) {
    delegate?.cleanup(after: self)
    guard !gates.isEmpty else {
      jobs.forEach { $0.deliver() }
      return cleanup()
    }
    let root = gates.first { $0.queue.isSame(as: context.rootQueue) }
    root.afterReports { [self] in
      jobs.forEach { job in
        let own = gates.first { gate in job.queue.map(gate.queue.isSame) ?? false }
        own.afterReports { [self] in withExtendedLifetime(self) { job.deliver() } }
      }
      cleanup()
    }
  }

  private func serveAway(_ job: ResponseJob) {
    let error = job.serialize()
    context.step {
      if self.settle(job, failing: error) { self.serveHandlers() }
    }
  }

  /// Announces the response and, if it is a failure, asks the retrier. False when somebody else goes on.
  private func settle(_ job: ResponseJob, failing error: AFError?) -> Bool {
    job.announce()
    guard let error, !isCancelled, let delegate, delegate.asksRetrier(for: self) else {
      protected.withLock { $0.life.didServe() }
      return true
    }
    delegate.retryResult(for: self, dueTo: error) { result in
      switch result {
      case .doNotRetry:
        break
      case .doNotRetryWithError(let retryError):
        job.replaceError(
          with: retryError.asAFError(or: .requestRetryFailed(retryError: retryError, originalError: error)))
      case .retry, .retryWithDelay:
        if self.protected.withLock({ $0.life.scheduleRetry() }) {
          return delegate.retryRequest(self, withDelay: result.delay)
        }
      }
      self.protected.withLock { $0.life.didServe() }
      self.serveHandlers()
    }
    return false
  }
}

extension RequestDelegate {
  /// False when a session knows that nobody would answer, which saves asking.
  func asksRetrier(for request: Request) -> Bool {
    guard let session = self as? Session else { return true }
    return session.interceptor != nil || request.interceptor != nil
  }
}
