import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// Starts the request, or goes on after `suspend()`.
  ///
  /// - Returns: The request.
  @discardableResult
  public func resume() -> Self {
    let (step, task) = protected.withLock { state in
      let step = state.life.resume(taskIsOver: state.taskIsOver)
      let task = step == .resumeTask ? state.tasks.last : nil
      if step != .refuse, let observer = state.observer(in: context) {
        observer.requestDidResume(self)
        if let task { observer.request(self, didResumeTask: task) }
      }
      return (step, task)
    }
    switch step {
    case .setUp:
      if let delegate {
        delegate.readyToPerform(request: self)
      } else {
        finish(error: .sessionDeinitialized)
      }
    case .resumeTask:
      task?.resume()
    case .announce, .refuse:
      break
    }
    return self
  }

  /// Holds the request back. A response that is on its way may still arrive.
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

  /// Cancels, stopping the task in the way of a subclass.
  @discardableResult
  func endEarly(stoppingTaskBy stop: (URLSessionTask) -> Void) -> Self {
    let (step, task) = protected.withLock { state -> (RequestLifecycle.CancelStep, URLSessionTask?) in
      let step = state.life.cancel(taskIsOver: state.taskIsOver)
      if step != .refuse, state.error == nil { state.error = .explicitlyCancelled }
      let task = step == .cancelTask ? state.tasks.last : nil
      if step != .refuse, let observer = state.observer(in: context) {
        observer.requestDidCancel(self)
        if let task { observer.request(self, didCancelTask: task) }
      }
      return (step, task)
    }
    switch step {
    case .cancelTask:
      if let task { cancelTask(task, stoppingBy: stop) }
    case .finish:
      context.later { self.finish() }
    case .announce, .refuse:
      break
    }
    return self
  }

  // MARK: The task follows

  private func cancelTask(_ task: URLSessionTask, stoppingBy stop: (URLSessionTask) -> Void) {
    // A task that never ran would have no metrics.
    task.resume()
    stop(task)
  }

  /// Attaches the task of an attempt and lets it do what the request has been told to do meanwhile.
  func attach(_ task: URLSessionTask) {
    let (step, hook) = protected.withLock { state in
      state.tasks.append(task)
      let step = state.life.attachTask()
      // Before the task is touched: a resumed one may report back before `resume()` returns.
      if let observer = state.observer(in: context) { announce(task, step, to: observer) }
      return (step, state.hooks.task)
    }
    if let hook { hook.queue.async { hook.perform(task) } }
    switch step {
    case .leave, .rest: break
    case .resume: task.resume()
    case .cancel: cancelTask(task) { $0.cancel() }
    }
  }
}

extension Request {
  private func announce(
    _ task: URLSessionTask, _ step: RequestLifecycle.TaskStep, to observer: CompositeEventMonitor
  ) {
    observer.request(self, didCreateTask: task)
    switch step {
    case .leave: break
    case .resume: observer.request(self, didResumeTask: task)
    case .rest: observer.request(self, didSuspendTask: task)
    case .cancel: observer.request(self, didCancelTask: task)
    }
  }
}

extension Request.MutableState {
  /// Whether the newest task has nothing more to do.
  var taskIsOver: Bool { tasks.last.map { $0.state == .completed } ?? false }
}
