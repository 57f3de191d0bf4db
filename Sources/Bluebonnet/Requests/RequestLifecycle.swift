// SPDX-License-Identifier: MIT

/// A request's life as a pure value: events go in, the step to take comes out. `Request` keeps it under its
/// lock and carries the steps out after letting go of the lock.
///
///     idle ──resume──▶ active ──finish──▶ finishing ──last handler──▶ done
///                        ▲  │                │  ▲                       │
///            startRetry  │  │ retry          │  └──── late handler ─────┘
///                        │  ▼                │
///                     waitingToRetry ◀───────┘ retry asked for by a response serializer
///
/// `finish` also leads out of `idle` and `waitingToRetry` (a cancelled request has nothing to wait for).
struct RequestLifecycle: Equatable {
  /// The step of the pipeline, independent of the owner's commands.
  enum Phase: Equatable {
    /// Not set up. Exits: `active`, or `finishing` when cancelled early.
    case idle
    /// An attempt is being set up, is on the wire, or its failure is being looked at.
    case active
    /// Another attempt has been granted and has not begun.
    case waitingToRetry
    /// Response handlers are served one by one.
    case finishing
    /// All handlers known so far have been served; a later one leads back to `finishing`.
    case done
  }

  enum ResumeStep: Equatable { case refuse, setUp, resumeTask, announce }
  enum SuspendStep: Equatable { case refuse, suspendTask, restTask, announce }
  enum CancelStep: Equatable { case refuse, finish, cancelTask, announce }
  enum TaskStep: Equatable { case leave, resume, rest, cancel, drop }
  enum HandlerStep: Equatable { case wait, resume, serve }
  enum ResponseStep: Equatable { case wait, run(Int), deliver }

  private(set) var state = Request.State.initialized
  private(set) var phase = Phase.idle
  /// Whether the current attempt has got its task.
  private(set) var attemptHasTask = false
  /// The attempt or a serializer has failed, and a retrier has been asked. It may take its time.
  private(set) var awaitsRetrier = false
  /// The time for the whole request is up.
  private(set) var isExpired = false
  /// The session is no more: no retrier is asked.
  private var isAbandoned = false
  private var handlers = 0
  private var served = 0
  private var isServing = false

  // MARK: The owner's wishes

  mutating func resume(taskIsOver: Bool) -> ResumeStep {
    guard state.canTransitionTo(.resumed) else { return .refuse }
    state = .resumed
    if phase == .idle {
      phase = .active
      return .setUp
    }
    return attemptHasTask && !taskIsOver ? .resumeTask : .announce
  }

  mutating func suspend(taskIsOver: Bool) -> SuspendStep {
    guard state.canTransitionTo(.suspended) else { return .refuse }
    let ran = state == .resumed
    state = .suspended
    guard attemptHasTask, !taskIsOver else { return .announce }
    // A task counts its suspensions and begins with one: a second would outlast the next `resume()`.
    return ran ? .suspendTask : .restTask
  }

  mutating func cancel(taskIsOver: Bool) -> CancelStep {
    guard state.canTransitionTo(.cancelled) else { return .refuse }
    state = .cancelled
    return end(taskIsOver: taskIsOver)
  }

  /// The time for the whole request is up: no further attempt is made, and the present one ends.
  mutating func expire(taskIsOver: Bool) -> CancelStep {
    guard !isStopped, phase != .done else { return .refuse }
    isExpired = true
    return end(taskIsOver: taskIsOver)
  }

  /// The session is no more.
  mutating func abandon() { isAbandoned = true }

  /// Cancelled or out of time: the caller that has stopped it sees to its end.
  var isStopped: Bool { state == .cancelled || isExpired }

  private func end(taskIsOver: Bool) -> CancelStep {
    switch phase {
    case .idle, .waitingToRetry: return .finish
    case .active:
      guard attemptHasTask, !awaitsRetrier else { return .finish }
      // A task that is over reports its completion by itself; finishing here would race with it.
      return taskIsOver ? .announce : .cancelTask
    case .finishing: return awaitsRetrier ? .finish : .announce
    case .done: return .announce
    }
  }

  // MARK: Attempts

  /// The session sets requests up at once. False when that has happened already.
  mutating func setUpEagerly() -> Bool {
    guard phase == .idle, state != .cancelled else { return false }
    phase = .active
    return true
  }

  /// The attempt got its task. It must now catch up with the owner's commands; or comes too late, because a cancelled
  /// request has come to its end meanwhile.
  mutating func attachTask() -> TaskStep {
    guard phase == .active else { return .drop }
    attemptHasTask = true
    if isExpired { return .cancel }
    return switch state {
    case .initialized, .finished: .leave
    case .resumed: .resume
    case .suspended: .rest
    case .cancelled: .cancel
    }
  }

  /// The attempt or a serializer has failed. False when the request was stopped, so that no retrier is to be asked about another
  /// attempt.
  mutating func askRetrier() -> Bool {
    guard !isStopped, !isAbandoned else { return false }
    awaitsRetrier = phase == .active || phase == .finishing && isServing
    return true
  }

  /// The retrier has answered, or its answer is no longer waited for. False for all but the first to say so.
  mutating func hearRetrier() -> Bool {
    defer { awaitsRetrier = false }
    return awaitsRetrier
  }

  /// A retrier granted another attempt. False when the request is cancelled or was finished meanwhile.
  mutating func scheduleRetry() -> Bool {
    guard !isStopped, !isAbandoned, phase == .active || (phase == .finishing && isServing) else {
      return false
    }
    phase = .waitingToRetry
    awaitsRetrier = false
    isServing = false
    served = 0
    return true
  }

  mutating func startRetry() -> Bool {
    guard !isStopped, phase == .waitingToRetry else { return false }
    phase = .active
    attemptHasTask = false
    return true
  }

  // MARK: The end

  /// False when the end has begun already.
  mutating func finish() -> Bool {
    switch phase {
    case .idle, .active, .waitingToRetry:
      phase = .finishing
      awaitsRetrier = false
      return true
    case .finishing, .done:
      return false
    }
  }

  /// The end of a cancellation without a task, or with none any more. False if the attempt has got one meanwhile: that is
  /// cancelled, too, and its end leads to the request's; or if the end has begun already.
  mutating func finishWithoutTask() -> Bool {
    if phase == .active, attemptHasTask, !awaitsRetrier { return false }
    return finish()
  }

  mutating func addHandler(startsRequest: Bool) -> HandlerStep {
    handlers += 1
    if state == .finished { state = .resumed }
    if phase == .done {
      phase = .finishing
      return .serve
    }
    return startsRequest && state.canTransitionTo(.resumed) && phase != .finishing ? .resume : .wait
  }

  /// The next handler to serve, or the moment at which all completions are due.
  mutating func nextResponse() -> ResponseStep {
    guard phase == .finishing, !isServing else { return .wait }
    guard served == handlers else {
      isServing = true
      return .run(served)
    }
    handlers = 0
    served = 0
    phase = .done
    if state.canTransitionTo(.finished) { state = .finished }
    return .deliver
  }

  /// The number of the handler that is being served.
  var current: Int? { isServing ? served : nil }

  mutating func didServe() {
    guard isServing else { return }
    isServing = false
    served += 1
  }
}
