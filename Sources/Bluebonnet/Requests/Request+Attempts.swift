import BluebonnetFoundation
import BluebonnetURLLoading

/// What the session and its delegate report about an attempt.
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
    let hook = protected.withLock { $0.hooks.urlRequest }
    if let hook { hook.queue.async { hook.perform(request) } }
    observer?.request(self, didCreateURLRequest: request)
    callCURLHandler()
  }

  func didGatherMetrics(_ metrics: URLSessionTaskMetrics) {
    protected.withLock { $0.metrics.append(metrics) }
    observer?.request(self, didGatherMetrics: metrics)
  }

  /// The request is lost before its task knows, for a reason better than the one the task will give.
  func didFailTask(_ task: URLSessionTask, earlyWithError error: AFError) {
    fail(with: error)
    observer?.request(self, didFailTask: task, earlyWithError: error)
  }

  /// The end of an attempt, whether another follows or not.
  func completeAttempt(_ task: URLSessionTask, with error: AFError?) {
    if let error { protected.withLock { if $0.error == nil { $0.error = error } } }
    validate(task, with: error)
  }

  /// The attempt is over and has been judged.
  func endAttempt(_ task: URLSessionTask, with error: AFError?) {
    let outcome = self.error
    if outcome != nil { discardOutput() }
    observer?.request(self, didCompleteTask: task, with: error)
    retryOrFinish(error: outcome)
  }

  func fail(with error: AFError) {
    protected.withLock { $0.error = error }
  }

  // MARK: Again, or the end

  func retryOrFinish(error: AFError?) {
    guard let error, !isCancelled, let delegate else { return finish() }
    delegate.retryResult(for: self, dueTo: error) { result in
      switch result {
      case .doNotRetry:
        self.finish()
      case .doNotRetryWithError(let retryError):
        self.finish(
          error: retryError.asAFError(or: .requestRetryFailed(retryError: retryError, originalError: error)))
      case .retry, .retryWithDelay:
        self.retry(after: result.delay)
      }
    }
  }

  private func retry(after delay: TimeInterval?) {
    if let delegate, protected.withLock({ $0.life.scheduleRetry() }) {
      delegate.retryRequest(self, withDelay: delay)
    } else {
      finish()
    }
  }

  /// Clears the table for the next attempt. False when the request was cancelled or finished meanwhile.
  func prepareForRetry() -> Bool {
    let ready = protected.withLock { state -> Bool in
      guard state.life.startRetry() else { return false }
      state.retryCount += 1
      state.observer(in: context)?.requestIsRetrying(self)
      return true
    }
    guard ready else { return false }
    reset()
    return true
  }

  /// Begins the end, once. Whatever `error` holds then is what the handlers see.
  func finish(error: AFError? = nil) {
    let begins = protected.withLock { state -> Bool in
      guard state.life.finish() else { return false }
      if let error { state.error = error }
      state.observer(in: context)?.requestDidFinish(self)
      return true
    }
    if begins { serveHandlers() }
  }
}
