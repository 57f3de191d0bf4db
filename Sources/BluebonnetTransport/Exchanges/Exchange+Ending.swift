import BluebonnetEventLoop

extension Exchange {
  func fail(_ cause: TransportError.Cause) {
    fail(cause, during: budget.phase)
  }

  func fail(_ cause: TransportError.Cause, during phase: TransportError.Phase) {
    let ending = state
    finish(TransportError(cause, during: phase)) {
      switch ending {
      case .initial, .finished: break
      case .waiting: group.cancel(self)
      case .connecting(let connector):
        connector?.cancel()
        group.connectFailed()
      case .securing(let connection):
        connection.close()
        // A session is not offered again after it has led to a failure (RFC 5246 §7.2.2), however the server put it.
        if case .cancelled = cause {} else { group.pool.sessions.remove(group.endpoint) }
        group.connectFailed()
      case .exchanging(let connection): group.release(connection, reusable: false)
      }
    }
  }

  /// The one way out: lets go of the connection, then tells the client.
  func finish(_ error: TransportError?, letGo: () -> Void) {
    if case .finished = state { return }
    state = .finished
    if let timer { loop.cancel(timer) }
    timer = nil
    // The signal holds the exchange, which holds the source; and the source may hold a file open.
    if case .source(let source) = request.body { source.detach() }
    letGo()
    let client = self.client
    self.client = nil
    client?.exchange(self, didFinishWith: error)
  }

  /// A pooled connection that had gone stale answers nothing; a fresh one may (RFC 9112 §9.3.1).
  func replayIfAllowed() -> Bool {
    guard case .exchanging(let connection) = state else { return false }
    let situation = ReplayPolicy.Situation(
      reusedConnection: milestones.reusedConnection, anyResponseByte: anyResponseByte,
      anyRequestByteSent: anyRequestByteSent, isIdempotent: request.isIdempotent,
      bodyIsReplayable: true, alreadyReplayed: wasReplayed)
    guard ReplayPolicy.allowsReplay(situation), rewindBody() else { return false }
    wasReplayed = true
    sendError = nil
    awaitsContinue = false
    state = .initial
    group.release(connection, reusable: false)
    group.acquire(for: self, fresh: true)
    return true
  }

  private func rewindBody() -> Bool {
    guard case .source(let source) = request.body else { return true }
    stagedBodyBytes = 0
    milestones.requestBodyBytes = 0
    return source.rewind()
  }

  /// Makes sure a timer looks at the budget when it runs out; one timer serves all phases.
  func armTimer() {
    guard let deadline = budget.deadline else { return }
    if let timerDeadline, timer != nil, timerDeadline <= deadline { return }
    if let timer { loop.cancel(timer) }
    timerDeadline = deadline
    // Taken back when the exchange ends, so it keeps nothing alive for longer.
    timer = loop.schedule(at: deadline) { self.timerFired() }
  }

  private func timerFired() {
    timer = nil
    if case .finished = state { return }
    if budget.isExpired(at: loop.now) { return fail(.timedOut) }
    armTimer()
  }
}
