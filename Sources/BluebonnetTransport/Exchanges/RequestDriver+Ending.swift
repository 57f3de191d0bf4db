import BluebonnetEventLoop
import BluebonnetHTTP1

extension Exchange {
  func fail(_ cause: TransportError.Cause) {
    fail(cause, during: budget.phase)
  }

  func fail(_ cause: TransportError.Cause, during phase: TransportError.Phase) {
    let ending = state
    var (seconds, congestion): (Double?, Congestion?)
    if case .timedOut = cause {
      seconds = request.timeouts.limit(of: phase).map { Double($0) / 1e9 }
      switch ending {
      case .waiting: congestion = group.congestion
      case .awaitingDescriptor: congestion = group.pool.congestion(of: .descriptors)
      default: break
      }
    }
    finish(TransportError(cause, during: phase, seconds: seconds, congestion: congestion)) {
      switch ending {
      case .initial, .finished: break
      case .waiting: group.cancel(self)
      case .connecting(let connector):
        connector?.cancel()
        group.connectFailed()
      case .awaitingDescriptor: group.connectFailed()
      case .securing(let connection):
        connection.close()
        // A session is not offered again after it has led to a failure (RFC 5246 §7.2.2), however the server put it.
        if case .cancelled = cause {} else { group.pool.sessions.remove(group.route) }
        group.connectFailed()
      case .exchanging(let connection): letGo(of: connection, .close(connection.state.http.cancel()))
      }
    }
  }

  /// The one way out: lets go of the connection, then tells the client.
  func finish(_ error: TransportError?, letGo: () -> Void) {
    if case .finished = state { return }
    state = .finished
    if isPaused { countHold() }
    if let timer { loop.cancel(timer) }
    timer = nil
    endPatience()
    stopMetering()
    // The signal holds the exchange, which holds the source; and the source may hold a file open.
    if case .source(let source) = request.body { source.detach() }
    letGo()
    let client = self.client
    self.client = nil
    client?.exchange(self, didFinishWith: error)
  }

  /// The exchange is over: its connection goes back to the pool, or rests where its owner wants it.
  func letGo(of connection: Connection, _ ending: HTTP1Exchange.Ending) {
    if case .close(let reason) = ending { metrics.closeReason = reason }
    if let lease, ending == .reuse, !group.pool.isInvalidated { return lease.rest(connection) }
    group.release(connection, ending)
  }

  /// A pooled connection that had gone stale answers nothing; a fresh one may (RFC 9112 §9.3.1). It is made in the place
  /// of the old one: neither another used one nor a wait behind others would do.
  func replayIfAllowed() -> Bool {
    guard !isBound, case .exchanging(let connection) = state else { return false }
    let situation = ReplayPolicy.Situation(
      reusedConnection: metrics.reusedConnection, anyResponseByte: connection.state.http.hasReceivedAny,
      anyRequestByteSent: connection.state.http.hasSentAny, isIdempotent: request.isIdempotent,
      bodyIsReplayable: true, alreadyReplayed: wasReplayed)
    guard ReplayPolicy.allowsReplay(situation), rewindBody() else { return false }
    wasReplayed = true
    sendError = nil
    endPatience()
    bodyIsLate = false
    stopMetering()
    state = .initial
    waitingSince = .distantFuture
    if isPaused { countHold() }
    connection.close()
    connect()
    return true
  }

  private func rewindBody() -> Bool {
    guard case .source(let source) = request.body else { return true }
    upload.restart()
    metrics.requestBodyBytes = 0
    return source.rewind()
  }

  /// Makes sure a timer looks at the budget when it runs out; one timer serves all phases.
  func armTimer() {
    guard var deadline = budget.deadline else { return }
    // The peer's kernel does not say when it takes something of a body: it has to be asked now and then.
    if case .source = request.body, !upload.isMeasured, let limit = request.timeouts.sending,
      case .exchanging(let connection) = state, !connection.state.isRequestSent || upload.isUnconfirmed
    {
      deadline = Swift.min(deadline, loop.now.adding(.nanoseconds(limit / 4)))
    }
    if let timerDeadline, timer != nil, timerDeadline <= deadline { return }
    if let timer { loop.cancel(timer) }
    timerDeadline = deadline
    // Taken back when the exchange ends, so it keeps nothing alive for longer.
    timer = loop.schedule(at: deadline) { self.timerFired() }
  }

  private func timerFired() {
    timer = nil
    // Connecting looks after its own time.
    switch state {
    case .initial, .connecting, .finished: return
    case .waiting, .awaitingDescriptor, .securing, .exchanging: break
    }
    let isExpired = budget.isExpired(at: loop.now)
    if !uploadMoved(), isExpired { return fail(.timedOut) }
    armTimer()
  }
}
