// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension Request {
  /// Whether the first handler starts the request. Without a session the request cannot run, but its waiters must be
  /// told so.
  var startsByItself: Bool {
    shouldAutomaticallyResume ?? (isStartedBySession || session == nil)
  }

  /// Adds a response handler; the first one starts the request unless it is told not to.
  func add(_ job: ResponseJob) {
    let starts = startsByItself
    let (step, start) = protected.withLock { state in
      state.handlers.append(job)
      let step = state.life.addHandler(startsRequest: starts)
      return (step, step == .resume ? state.resume(self) : nil)
    }
    switch step {
    case .wait: break
    case .resume: if let start { carryOut(start) }
    case .serve: context.step { self.serveHandlers() }
    }
  }

  /// Adds a job that a Swift task waits for.
  func addAwaited(_ job: ResponseJob, cancelsWithTask: Bool) {
    // Before the job starts the request: awaiting would come too late, with the request on its way.
    if cancelsWithTask, Task.isCancelled { cancel() }
    add(job)
  }

  /// The steps for the handlers, with all that they take.
  enum ResponseStep {
    case wait
    case run(ResponseJob, bodyCount: Int)
    case deliver(SmallArray<ResponseJob>, behind: [ProgressBarrier], then: [@Sendable () -> Void])
  }

  func serveHandlers() {
    serve(protected.withLock { $0.nextResponse() })
  }

  /// Serves handlers until one has to leave for the serialization queue, then all completions at once.
  func serve(_ first: ResponseStep) {
    var step = first
    while true {
      switch step {
      case .wait:
        return
      case .run(let job, let count):
        guard context.isOnLoop, job.isQuick(for: count) else {
          return context.serializationQueue.async { self.serveAway(job) }
        }
        guard let next = settle(job, failing: job.serialize()) else { return }
        step = next
      case .deliver(let jobs, let gates, let hooks):
        return deliver(jobs, behind: gates, then: hooks)
      }
    }
  }

  /// Hands the responses out, with which the request is over: the session knows nothing of it any more, and its
  /// reports on the session's queue, or on a handler's own, come first.
  private func deliver(
    _ jobs: SmallArray<ResponseJob>, behind gates: [ProgressBarrier], then hooks: [@Sendable () -> Void]
  ) {
    var handlerCount = 0
    jobs.forEach { if $0.runsHandler { handlerCount += 1 } }
    context.remove(self, calling: handlerCount)
    // Asked behind the books' lock: a waiter that has found the request there has registered before.
    let handlers = context.awaitsDeliveries.load(ordering: .relaxed) ? DispatchGroup() : nil
    if gates.isEmpty, handlers == nil {
      jobs.forEach { $0.deliver(in: context, then: nil) }
      for hook in hooks { hook() }
      return cleanUp()
    }
    let (early, root) = (gates.first { $0.holdsAll }, gates.first { $0.isOf(context.rootQueue) })
    early.afterReports {
      root.afterReports { [self] in
        var done: (@Sendable () -> Void)?
        if let handlers { done = { handlers.leave() } }
        jobs.forEach { [done] job in
          handlers?.enter()
          let own = gates.first { gate in job.queue.map(gate.isOf) ?? false }
          own.afterReports { [self] in
            withExtendedLifetime(self) { job.deliver(in: context, then: done) }
          }
        }
        for hook in hooks { hook() }
        handlers?.notify(queue: context.rootQueue) { self.delivered() }
        cleanUp()
      }
    }
  }

  /// All handlers have returned.
  private func delivered() {
    let waiting = protected.withLock { state in
      state.isDelivered = true
      defer { state.rareState?.hooks.delivery = [] }
      return state.rareState?.hooks.delivery ?? []
    }
    for action in waiting { action() }
  }

  /// Calls `action` when the handlers of the request have returned, at once if they have. Of a request that is in the
  /// session's books, once `SessionContext.awaitsDeliveries` is set.
  func onDelivery(perform action: @escaping @Sendable () -> Void) {
    let isPast = protected.withLock { state in
      if state.isDelivered { return true }
      state.ownRareState.hooks.delivery.append(action)
      return false
    }
    if isPast { action() }
  }

  /// Removes what the request has made for itself, once its end has begun.
  func cleanUp() {
    if needsCleanup { context.userCode { self.cleanup() } }
  }

  private func serveAway(_ job: ResponseJob) {
    job.take(outcome)
    let error = job.serialize()
    context.step {
      if let next = self.settle(job, failing: error) { self.serve(next) }
    }
  }

  /// Announces the response and, if it is a failure, asks the retrier. Nil when another call goes on.
  private func settle(_ job: ResponseJob, failing failure: Failure?) -> ResponseStep? {
    if let observer { job.announce(to: observer, of: self) }
    guard let failure, let session, session.asksRetrier(for: self),
      protected.withLock({ $0.life.askRetrier() })
    else {
      return protected.withLock { state in
        state.life.didServe()
        return state.nextResponse()
      }
    }
    let error = failure.error
    session.retryResult(for: self, dueTo: error) { result in
      // A request that was stopped has not waited.
      guard self.protected.withLock({ $0.life.hearRetrier() }) else { return }
      switch result {
      case .doNotRetry:
        break
      case .doNotRetryWithError(let retryError):
        job.replaceError(with: retryError.asRetryFailure(of: error))
      case .retry, .retryWithDelay:
        if self.protected.withLock({ $0.life.scheduleRetry() }) {
          return session.retryRequest(self, withDelay: result.delay)
        }
      }
      self.protected.withLock { $0.life.didServe() }
      self.serveHandlers()
    }
    return nil
  }
}

extension Session {
  /// False where there is no retrier, to save asking.
  fileprivate func asksRetrier(for request: Request) -> Bool {
    hasInterceptor || request.protected.withLock { $0.hasInterceptor }
  }
}

extension RequestMembers {
  mutating func nextResponse() -> Request.ResponseStep {
    switch life.nextResponse() {
    case .wait: return .wait
    case .run(let index):
      guard let job = handlers[index] else { return .wait }
      job.take(outcome)
      return .run(job, bodyCount: data?.count ?? 0)
    case .deliver:
      defer { handlers = SmallArray() }
      var finish: [@Sendable () -> Void] = []
      if let rareState { swap(&finish, &rareState.hooks.finish) }
      return .deliver(handlers, behind: gates, then: finish)
    }
  }
}
