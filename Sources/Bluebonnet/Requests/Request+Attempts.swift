// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// The reports of the session and its delegate about an attempt.
extension Request {
  func didCreateInitialURLRequest(_ request: URLRequest) {
    protected.withLock { $0.requests.append(request) }
    observer?.request(self, didCreateInitialURLRequest: request)
  }

  func didFailToCreateURLRequest(with error: AFError) {
    fail(with: error)
    observer?.request(self, didFailToCreateURLRequestWithError: error)
    callCURLHandler()
    retryOrFinish(error: error)
  }

  func didAdaptInitialRequest(_ initial: URLRequest, to adapted: URLRequest) {
    protected.withLock { $0.requests.append(adapted) }
    observer?.request(self, didAdaptInitialRequest: initial, to: adapted)
  }

  func didFailToAdaptURLRequest(_ request: URLRequest, withError error: AFError) {
    fail(with: error)
    observer?.request(self, didFailToAdaptURLRequest: request, withError: error)
    callCURLHandler()
    retryOrFinish(error: error)
  }

  func didCreateURLRequest(_ request: URLRequest) {
    let hook = protected.withLock { $0.rareState?.hooks.urlRequest }
    if let hook { hook.queue.async { hook.perform(request) } }
    observer?.request(self, didCreateURLRequest: request)
    callCURLHandler()
  }

  func didGatherMetrics(_ metrics: URLSessionTaskMetrics) {
    protected.withLock { $0.metrics.append(metrics) }
    observer?.request(self, didGatherMetrics: metrics)
  }

  /// The request is lost before its task knows, for a reason better than the one the task will give.
  /// It may come from an attempt that is over, such as a slow evaluation of its server's trust: then it counts no more.
  func didFailTask(_ task: URLSessionTask, earlyWithError error: AFError) {
    let isUnderWay = protected.withLock { state in
      state.tasks.last === task && !state.taskIsOver && state.life.phase == .active
    }
    guard isUnderWay else { return }
    fail(with: error)
    observer?.request(self, didFailTask: task, earlyWithError: error)
  }

  /// The task has completed. Its metrics come with it, unless a delegate has brought them before.
  func endAttempt(
    _ task: URLSessionTask, with failure: (any Error)?, _ metrics: URLSessionTaskMetrics? = nil
  ) {
    if failure == nil, let metrics, observer == nil, let next = succeed(metrics) { return serve(next) }
    let error = failure.map { $0.asAFError(or: .sessionTaskFailed(error: $0)) }
    let attempt = protected.withLock { state -> Attempt? in
      guard !state.isDisowned else { return nil }
      if let metrics { state.metrics.append(metrics) }
      if let error, state.failure == nil { state.error = error }
      return Attempt(
        failure: state.failure, validators: state.validators, request: state.requests.last, data: state.data)
    }
    // Behind the lock, so that a cancellation that came first is heard of first.
    if let metrics { announceEnd(of: task, failure, metrics, isOurs: attempt != nil) }
    guard let attempt else { return }
    // A WebSocket has opened, and what came of it is no matter of its head (RFC 6455 §4.1).
    guard attempt.failure == nil, !attempt.validators.isEmpty,
      let response = (metrics?.lastResponse ?? task.response) as? HTTPURLResponse, response.statusCode != 101
    else { return conclude(task, with: error, outcome: attempt.failure?.error) }
    let subject = validationSubject(attempt.data)
    guard context.isOnLoop,
      attempt.validators.contains(where: { !$0.runsOnlyLibraryCode(on: subject, of: attempt.request) })
    else { return validate(task, response, attempt, subject) }
    context.serializationQueue.async { self.validate(task, response, attempt, subject) }
  }

  /// The usual end: there is no listener, and validators of the library's own have nothing to object to. It takes one look at
  /// the state, from the task's end to the first handler.
  ///
  /// - Returns: nil for any other end, with nothing noted yet.
  private func succeed(_ metrics: URLSessionTaskMetrics) -> ResponseStep? {
    protected.withLock { state in
      guard !state.isDisowned, state.failure == nil, state.life.phase == .active else { return nil }
      if !state.validators.isEmpty {
        guard let subject = quickValidationSubject(state.data),
          let response = metrics.lastResponse as? HTTPURLResponse
        else { return nil }
        for validator in state.validators {
          guard validator.runsOnlyLibraryCode(on: subject, of: state.requests.last),
            case .success = validator.validate(state.requests.last, response, subject)
          else { return nil }
        }
      }
      guard state.life.finish() else { return nil }
      state.metrics.append(metrics)
      return state.nextResponse()
    }
  }

  /// The facts about an attempt that is over, before it is validated.
  private struct Attempt {
    let failure: Failure?
    let validators: [Validator]
    let request: URLRequest?
    let data: Data?
  }

  private func validate(
    _ task: URLSessionTask, _ response: HTTPURLResponse, _ attempt: Attempt, _ subject: Validator.Subject
  ) {
    let objection = validate(response, by: attempt.validators, of: attempt.request, subject)
    // A cancellation may have come meanwhile.
    conclude(task, with: nil, outcome: objection ?? protected.withLock { $0.failure?.error })
  }

  private func announceEnd(
    of task: URLSessionTask, _ error: (any Error)?, _ metrics: URLSessionTaskMetrics, isOurs: Bool
  ) {
    let sessions = context.observer
    sessions?.urlSession(task.session, task: task, didFinishCollecting: metrics)
    if isOurs { observer?.request(self, didGatherMetrics: metrics) }
    sessions?.urlSession(task.session, task: task, didCompleteWithError: error)
  }

  /// The attempt is over and has been validated.
  private func conclude(_ task: URLSessionTask, with error: AFError?, outcome: AFError?) {
    guard let outcome else {
      observer?.request(self, didCompleteTask: task, with: error)
      return finish()
    }
    discardOutput {
      self.observer?.request(self, didCompleteTask: task, with: error)
      self.retryOrFinish(error: outcome)
    }
  }

  /// Notes why the attempt has failed. A request that was stopped keeps the reason for that.
  func fail(with error: AFError) {
    var failure = Optional(Failure(error))
    protected.withLock { if !$0.life.isStopped || $0.failure == nil { swap(&$0.failure, &failure) } }
  }

  // MARK: Again, or the end

  func retryOrFinish(error: AFError) {
    guard let session, protected.withLock({ $0.life.askRetrier() }) else { return finish() }
    session.retryResult(for: self, dueTo: error) { result in
      switch result {
      case .doNotRetry:
        self.finish()
      case .doNotRetryWithError(let retryError):
        self.finish(error: retryError.asRetryFailure(of: error))
      case .retry, .retryWithDelay:
        self.retry(after: result.delay)
      }
    }
  }

  private func retry(after delay: TimeInterval?) {
    if let session, protected.withLock({ $0.life.scheduleRetry() }) {
      session.retryRequest(self, withDelay: delay)
    } else {
      finish()
    }
  }

  /// Clears the table for the next attempt. False when the request was cancelled or finished meanwhile.
  func prepareForRetry() -> Bool {
    let spent = protected.withLock { state -> RequestMembers.SpentAttempt? in
      guard state.life.startRetry() else { return nil }
      state.retryCount += 1
      state.observer(in: context)?.requestIsRetrying(self)
      // At once: from here on a cancellation may leave its own error.
      return state.takeAttempt()
    }
    guard let spent else { return false }
    reset(after: spent.failure?.error)
    return true
  }

  /// Begins the end, once. Whatever `error` holds then is what the handlers see.
  func finish(error: AFError? = nil) {
    var failure = error.map(Failure.init)
    let next = protected.withLock { state -> ResponseStep in
      guard state.life.finish() else { return .wait }
      if failure != nil { swap(&state.failure, &failure) }
      return state.beginEnd(of: self)
    }
    serve(next)
  }

  /// The same for a request that was stopped when it had no task, unless it has got one meanwhile; or when a retrier was thinking
  /// about a serializer's failure: that is not waited for.
  func finishWithoutTask() {
    let (next, job) = protected.withLock { state -> (ResponseStep, ResponseJob?) in
      if state.life.finishWithoutTask() { return (state.beginEnd(of: self), nil) }
      return (.wait, state.takeJobOfRetrier())
    }
    guard let job else { return serve(next) }
    goOn(behind: job, with: error)
  }

  /// The same for a request of a session that has ended. A serializer's failure that a retrier has yet to answer about stays: there
  /// is no other attempt, and nothing else has gone wrong.
  func finishWithoutSession(error: AFError) {
    finish(error: error)
    let job = protected.withLock { state in
      state.life.abandon()
      return state.takeJobOfRetrier()
    }
    if let job { goOn(behind: job, with: nil) }
  }

  private func goOn(behind job: ResponseJob, with error: AFError?) {
    if let error { job.replaceError(with: error) }
    protected.withLock { $0.life.didServe() }
    serveHandlers()
  }
}

extension RequestMembers {
  /// The failure, the body and the outcomes of an attempt that is over. They go when the lock is free: they may be the user's.
  struct SpentAttempt {
    let failure: RequestOutcome.Failure?
    let data: Data?
    let outcomes: [RequestOutcome]
  }

  /// Forgets the attempt that is over.
  mutating func takeAttempt() -> SpentAttempt {
    upload.reset()
    download.reset()
    // No handler is being served: the jobs are the lock's.
    return SpentAttempt(
      failure: failure.take(), data: data.take(), outcomes: handlers.all.compactMap { $0.takeOutcome() })
  }

  fileprivate mutating func beginEnd(of request: Request) -> Request.ResponseStep {
    observer(in: request.context)?.requestDidFinish(request)
    return nextResponse()
  }

  /// The job with a failure that a retrier has not answered about; its answer counts no more.
  fileprivate mutating func takeJobOfRetrier() -> ResponseJob? {
    guard life.hearRetrier(), let current = life.current else { return nil }
    return handlers[current]
  }
}
