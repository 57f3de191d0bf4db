import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// Starts the request, or goes on after `suspend()`.
  ///
  /// - Returns: The request.
  @discardableResult
  public func resume() -> Self {
    let (step, task) = protected.withLock { state in
      (state.life.resume(taskIsOver: state.taskIsOver), state.tasks.last)
    }
    guard step != .refuse else { return self }
    observer?.requestDidResume(self)
    switch step {
    case .setUp:
      if let delegate {
        delegate.readyToPerform(request: self)
      } else {
        finish(error: .sessionDeinitialized)
      }
    case .resumeTask:
      if let task { resumeTask(task) }
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
      (state.life.suspend(taskIsOver: state.taskIsOver), state.tasks.last)
    }
    guard step != .refuse else { return self }
    observer?.requestDidSuspend(self)
    guard let task else { return self }
    switch step {
    case .suspendTask:
      task.suspend()
      observer?.request(self, didSuspendTask: task)
    case .restTask:
      observer?.request(self, didSuspendTask: task)
    case .announce, .refuse:
      break
    }
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
      return (step, state.tasks.last)
    }
    guard step != .refuse else { return self }
    observer?.requestDidCancel(self)
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

  // Announced before the task is touched: a resumed task may report back before `resume()` returns.
  private func resumeTask(_ task: URLSessionTask) {
    observer?.request(self, didResumeTask: task)
    task.resume()
  }

  private func cancelTask(_ task: URLSessionTask, stoppingBy stop: (URLSessionTask) -> Void) {
    observer?.request(self, didCancelTask: task)
    // A task that never ran would have no metrics.
    task.resume()
    stop(task)
  }

  /// Attaches the task of an attempt and lets it do what the request has been told to do meanwhile.
  func attach(_ task: URLSessionTask) {
    let (step, hook) = protected.withLock { state in
      state.tasks.append(task)
      return (state.life.attachTask(), state.hooks.task)
    }
    observer?.request(self, didCreateTask: task)
    if let hook { hook.queue.async { hook.perform(task) } }
    switch step {
    case .leave: break
    case .resume: resumeTask(task)
    case .rest: observer?.request(self, didSuspendTask: task)
    case .cancel: cancelTask(task) { $0.cancel() }
    }
  }
}

extension Request.MutableState {
  /// Whether the newest task has nothing more to do.
  var taskIsOver: Bool { tasks.last.map { $0.state == .completed } ?? false }
}
