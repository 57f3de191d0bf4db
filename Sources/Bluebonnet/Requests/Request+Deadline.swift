// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// Limits the time that the request may take altogether: all attempts, the pauses between them, and what adapters and
  /// retriers take. A later call sets another limit.
  ///
  /// The time counts from this call. When it is over, the request fails with a `URLError` of the code `.timedOut` inside
  /// `AFError.sessionTaskFailed`, and no retrier is asked about it. A response that is complete by then is still
  /// handed out. The received bytes of a download are kept for ``DownloadRequest/resumeData``.
  ///
  /// The limits of a single attempt are `URLRequest.timeoutInterval`, for silence, and
  /// `URLSessionConfiguration.timeoutIntervalForResource`.
  ///
  /// - Parameter seconds: How long, in seconds. 0 or less ends the request at once; more than a billion is no limit.
  /// - Returns: The request.
  @discardableResult
  public func deadline(after seconds: TimeInterval) -> Self {
    let timer = DeadlineTimer(on: context.loop, seconds: seconds) { [weak self] in
      guard let self else { return }
      context.step { self.expire(after: seconds) }
    }
    let (earlier, isFirst) = protected.withLock { state in
      let earlier = state.ownRareState.deadline
      state.ownRareState.deadline = timer
      return (earlier, earlier == nil)
    }
    earlier?.cancel()
    timer.start()
    if isFirst {
      onFinish { [weak self] in self?.protected.withLock { $0.ownRareState.deadline }?.cancel() }
    }
    return self
  }

  /// The time for the whole request is up.
  private func expire(after seconds: TimeInterval) {
    let (step, task, earlier) = protected.withLock {
      state -> (RequestLifecycle.CancelStep, URLSessionTask?, AFError?) in
      let step = state.life.expire(taskIsOver: state.taskIsOver)
      guard step == .finish || step == .cancelTask else { return (step, nil, nil) }
      let earlier = state.failure?.error
      state.error = state.deadlineError(seconds)
      return (step, step == .cancelTask ? state.tasks.last : nil, earlier)
    }
    if let earlier { willForget(earlier) }
    switch step {
    case .cancelTask:
      if let task { stopAtDeadline(task) }
    case .finish: context.later { self.finishWithoutTask() }
    case .announce, .refuse: break
    }
  }
}

extension RequestMembers {
  fileprivate func deadlineError(_ seconds: TimeInterval) -> AFError {
    let request = requests.last
    let earlier = failure?.error
    let phase: LoadingPhase =
      if let task = tasks.last, task.state != .completed {
        task.response == nil ? .waiting : .receivingBody
      } else {
        .preparing
      }
    let attempts = retryCount > 0 ? ", all \(retryCount + 1) attempts included," : ""
    return .sessionTaskFailed(
      error: URLError.loading(
        .timedOut, url: request?.url, method: request?.httpMethod, phase: phase,
        reason: "the request\(attempts) was allowed \(seconds.asSeconds) (deadline(after:))",
        fault: earlier?.loadingFault, cause: earlier))
  }
}

/// Ends once, unless it is cancelled.
final class DeadlineTimer: Sendable {
  private let seconds: TimeInterval
  private let loop: EventLoop
  private let action: @Sendable () -> Void
  private let state = LoopConfined(State())

  private final class State {
    var token: TimerToken?
    var isCancelled = false
  }

  init(on loop: EventLoop, seconds: TimeInterval, action: @escaping @Sendable () -> Void) {
    self.loop = loop
    self.seconds = seconds
    self.action = action
  }

  /// A request that is dropped before it is over leaves no timer behind.
  deinit {
    loop.execute { [loop, state] in
      if let token = state.value.token.take() { loop.cancel(token) }
    }
  }

  func start() {
    let end = loop.instant.adding(.seconds(min(max(0, seconds.isNaN ? 0 : seconds), 1e9)))
    if seconds > 1e9 { return }
    loop.execute {
      guard !self.state.value.isCancelled else { return }
      self.state.value.token = self.loop.schedule(at: end) { [weak self] in
        guard let self else { return }
        state.value.token = nil
        action()
      }
    }
  }

  func cancel() {
    loop.execute {
      self.state.value.isCancelled = true
      if let token = self.state.value.token.take() { self.loop.cancel(token) }
    }
  }
}
