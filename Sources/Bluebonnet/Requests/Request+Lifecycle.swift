// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// Starts the request, or goes on after `suspend()`.
  ///
  /// - Returns: The request.
  @discardableResult
  public func resume() -> Self {
    carryOut(protected.withLock { $0.resume(self) })
    return self
  }

  /// The consequence of resuming.
  enum ResumeStep {
    case none
    case resume(URLSessionTask?)
    /// It has joined the session's requests that are under way.
    case setUp(hasInterceptor: Bool)
    /// The session is shutting down, and takes it no more.
    case turnAway
  }

  func carryOut(_ step: ResumeStep) {
    switch step {
    case .none: break
    case .resume(let task): task?.resumeInAnyOrder()
    case .setUp(let hasInterceptor):
      guard let session else {
        context.remove(self)
        return finish(error: .sessionDeinitialized)
      }
      session.perform(self, hasInterceptor: hasInterceptor)
    case .turnAway: finish(error: .sessionInvalidated(error: nil))
    }
  }

  /// Holds the request back, and the rest of a body that is being sent. A response that is on its way may still arrive.
  ///
  /// - Returns: The request.
  @discardableResult
  public func suspend() -> Self {
    let (step, task) = protected.withLock { state in
      let step = state.life.suspend(taskIsOver: state.taskIsOver)
      let task = step == .suspendTask || step == .restTask ? state.tasks.last : nil
      if step != .refuse, let observer = state.observer(in: context) {
        observer.requestDidSuspend(self)
        if let task { observer.request(self, didSuspendTask: task) }
      }
      return (step, task)
    }
    if step == .suspendTask { task?.suspend() }
    return self
  }

  /// Stops the request. Its handlers are served all the same, with `AFError.explicitlyCancelled` unless it
  /// had failed for another reason before.
  ///
  /// - Returns: The request.
  @discardableResult
  public func cancel() -> Self {
    endEarly { $0.cancel() }
  }

  /// Cancels a request that has no reader any more.
  func cancelUnlessOver() {
    switch state {
    case .initialized, .resumed, .suspended: cancel()
    case .cancelled, .finished: break
    }
  }

  /// Cancels, stopping the task in the way of a subclass.
  ///
  /// - Parameter asFailure: Whether it ends with `AFError.explicitlyCancelled`.
  @discardableResult
  func endEarly(asFailure: Bool = true, stoppingTaskBy stop: (URLSessionTask) -> Void) -> Self {
    let (step, task) = protected.withLock { state -> (RequestLifecycle.CancelStep, URLSessionTask?) in
      let step = state.life.cancel(taskIsOver: state.taskIsOver)
      if asFailure, step != .refuse, state.failure == nil { state.error = .explicitlyCancelled }
      let task = step == .cancelTask ? state.tasks.last : nil
      if step != .refuse, let observer = state.observer(in: context) {
        observer.requestDidCancel(self)
        if let task { observer.request(self, didCancelTask: task) }
      }
      return (step, task)
    }
    switch step {
    case .cancelTask:
      if let task { stop(task) }
    case .finish:
      context.later { self.finishWithoutTask() }
    case .announce, .refuse:
      break
    }
    return self
  }

  // MARK: The task follows

  /// Joins the session's requests that are under way, unless it has been cancelled or has ended meanwhile. One that comes too
  /// late for that ends.
  ///
  /// - Returns: Whether the request has an interceptor; nil if it has not joined.
  func enter() -> Bool? {
    let (hasInterceptor, isTurnedAway) = protected.withLock { state -> (Bool?, Bool) in
      guard !state.life.isStopped, state.life.phase != .done else { return (nil, false) }
      // While the request is locked: one that comes to its end at this moment is taken out again.
      guard context.active.withLock({ $0.insert(self) }) else { return (nil, true) }
      return (state.hasInterceptor, false)
    }
    if isTurnedAway { finish(error: .sessionInvalidated(error: nil)) }
    return hasInterceptor
  }

  /// The session is gone: the end of its tasks is not the request's.
  func disown() {
    protected.withLock { $0.isDisowned = true }
  }

  /// Attaches the task of an attempt and lets it do what the request has been told to do meanwhile.
  ///
  /// - Parameter initialRequest: The request that the task has been made of, if that has not been told yet.
  func attach(_ task: URLSessionTask, initialRequest: URLRequest? = nil) {
    let (step, calls) = protected.withLock { state -> (RequestLifecycle.TaskStep, [@Sendable () -> Void]) in
      let step = state.life.attachTask()
      guard step != .drop else { return (.drop, []) }
      if let initialRequest { state.requests.append(initialRequest) }
      state.tasks.append(task)
      // Before the task is touched: a resumed one may report back before `resume()` returns.
      if let observer = state.observer(in: context) { announce(task, step, initialRequest, to: observer) }
      return (step, state.takeHooks(for: task, initialRequest, of: self))
    }
    for call in calls { call() }
    switch step {
    case .leave, .rest: break
    case .resume: task.resumeInAnyOrder()
    case .cancel: task.cancel()
    case .drop:
      // It has not been told.
      task.listener = nil
      task.cancel()
      cleanUp()
    }
  }

  private func announce(
    _ task: URLSessionTask, _ step: RequestLifecycle.TaskStep, _ initialRequest: URLRequest?,
    to observer: CompositeEventMonitor
  ) {
    if let initialRequest {
      observer.request(self, didCreateInitialURLRequest: initialRequest)
      observer.request(self, didCreateURLRequest: initialRequest)
    }
    observer.request(self, didCreateTask: task)
    switch step {
    case .leave, .drop: break
    case .resume: observer.request(self, didResumeTask: task)
    case .rest: observer.request(self, didSuspendTask: task)
    case .cancel: observer.request(self, didCancelTask: task)
    }
  }
}

extension RequestMembers {
  mutating func resume(_ request: Request) -> Request.ResumeStep {
    let step = life.resume(taskIsOver: taskIsOver)
    let task = step == .resumeTask ? tasks.last : nil
    if step != .refuse, let observer = observer(in: request.context) {
      observer.requestDidResume(request)
      if let task { observer.request(request, didResumeTask: task) }
    }
    switch step {
    case .refuse, .announce: return .none
    case .resumeTask: return .resume(task)
    case .setUp:
      guard request.context.active.withLock({ $0.insert(request) }) else { return .turnAway }
      return .setUp(hasInterceptor: hasInterceptor)
    }
  }

  /// The hooks to be called for a new task, and for a new request beside it.
  fileprivate mutating func takeHooks(
    for task: URLSessionTask, _ made: URLRequest?, of request: Request
  ) -> [@Sendable () -> Void] {
    guard let rareState else { return [] }
    var calls: [@Sendable () -> Void] = []
    if let priority = rareState.priority { calls.append { task.priority = priority } }
    if let made {
      if let hook = rareState.hooks.urlRequest {
        calls.append { hook.queue.async { hook.perform(made) } }
      }
      if let hook = rareState.hooks.curl {
        calls.append { hook.queue.async { hook.perform(request.cURLDescription()) } }
        rareState.hooks.dropSpentCurl()
      }
    }
    if let hook = rareState.hooks.task {
      calls.append { hook.queue.async { hook.perform(task) } }
    }
    return calls
  }

  /// Whether the newest task has nothing more to do.
  var taskIsOver: Bool { tasks.last.map { $0.state == .completed } ?? false }
}
