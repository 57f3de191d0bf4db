// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetMessages

// Up to the first request.
extension Load {
  /// Prepares the task's request, on the caller's thread or the storages' queue.
  func prepareFirst() {
    if let answer = plainAnswer {
      prepared.answer(with: answer)
    } else {
      prepared.prepare(for: state.task, engine.requestBuilder)
    }
  }

  /// A fresh response in the cache's memory, where the rules are not needed.
  private var plainAnswer: InMemoryResponseStore.PlainAnswer? {
    guard case .ofRequest = state.task.body, state.webSocket == nil, let request = state.task.originalRequest,
      owner?.presentsCredential(for: state.task) != true
    else { return nil }
    return engine.plainAnswer(to: request)
  }

  /// Counts the load among its session's. One that cannot begin ends, if it has not been cancelled before.
  func isCountedIn() -> Bool {
    let obstacle = state.mayBegin ? obstacleToBeginning() : nil
    if state.isCounted { return true }
    prepared.drop()
    dropPart()
    if let obstacle { stop(obstacle) }
    return false
  }

  private func obstacleToBeginning() -> URLError? {
    guard engine.loop.isDriven else {
      return .loading(
        .resourceUnavailable, url: state.request.url, phase: .preparing,
        reason: "the session's event loop is not running: use EventLoop.run(_:) or the task's wait()")
    }
    state.isCounted = engine.begins(state.task)
    if state.isCounted { return nil }
    return .loading(
      .cancelled, url: state.request.url, phase: .preparing, reason: "the session is invalidated")
  }

  /// The task has ended before it began.
  func dropPart() { state.task.body.resumption?.drop() }

  /// Takes the credentials that the request has brought.
  func takeCredentials() {
    state.credentials = prepared.credentials
    guard state.credentials.authorization != nil else { return }
    // The URL's password has become a credential: reports about the load do not show it from here on.
    state.request.url = state.request.url?.withoutUserInformation
    state.task.setCurrentRequest(state.request)
  }

  // MARK: The time for the resource

  func armResourceTime(from start: UInt64) {
    guard let limit = engine.resourceTimeLimit else { return }
    // Taken back when the load ends, so it keeps nothing alive for longer.
    state.timers.resource = engine.loop.schedule(at: MonotonicTime(nanoseconds: start &+ limit)) {
      self.resourceTimedOut()
    }
  }

  private func resourceTimedOut() {
    state.timers.resource = nil
    stop(
      .loading(
        .timedOut, url: state.request.url, phase: currentPhase,
        reason: "the whole resource was allowed \(engine.settings.timeoutIntervalForResource.asSeconds) "
          + "(timeoutIntervalForResource)"))
  }

  func endResourceTime() {
    if let timer = state.timers.resource.take() { engine.loop.cancel(timer) }
  }
}
