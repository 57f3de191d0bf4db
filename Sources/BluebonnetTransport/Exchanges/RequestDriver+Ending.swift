import BluebonnetEventLoop
import BluebonnetHTTP1

extension RequestDriver {
  func fail(_ cause: TransportError.Cause) {
    fail(cause, during: state.budget.phase)
  }

  /// - Parameter isOfProxy: Whether it was the proxy, and not the origin; nil for what follows from the stage.
  func fail(
    _ cause: TransportError.Cause, during phase: TransportError.Phase, isOfProxy: Bool? = nil
  ) {
    let stage = state.stage
    var (seconds, congestion): (Double?, Congestion?)
    var awaitedBody = false
    var linesBeforeFault: [UInt8] = []
    if case .malformed = cause, case .exchanging(let connection) = stage {
      linesBeforeFault = connection.state.linesBeforeFault
    }
    if case .timedOut = cause {
      awaitedBody = phase == .sending && awaitsBody
      seconds = request.timeouts.limit(of: phase).map { Double($0) / 1e9 }
      switch stage {
      case .waiting: congestion = group.congestion
      case .awaitingDescriptor: congestion = group.pool.congestion(of: .descriptors)
      default: break
      }
    }
    let error = TransportError(
      cause, during: phase, seconds: seconds, congestion: congestion,
      replayObstacle: replayObstacle(to: cause), awaitedBody: awaitedBody,
      isOfProxy: isOfProxy ?? self.isOfProxy(cause), linesBeforeFault: linesBeforeFault)
    finish(error) {
      switch stage {
      case .initial, .identifying, .finished: break
      case .waiting: group.cancel(self)
      case .connecting(let connector):
        connector?.cancel()
        group.connectFailed()
      case .tunnelling(let connector):
        connector.cancel()
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

  /// Whether it is the proxy that is spoken to.
  private func isOfProxy(_ cause: TransportError.Cause) -> Bool {
    guard group.route.proxy != nil else { return false }
    switch state.stage {
    case .connecting, .tunnelling, .awaitingDescriptor: return true
    case .initial, .identifying, .waiting, .securing, .finished: return false
    case .exchanging: break
    }
    // An answer to the absolute form comes from the proxy, whatever its origin.
    guard case .proxy = group.route.nextHop else { return false }
    return switch cause {
    case .noResponse, .truncated, .network, .malformed, .tls: true
    default: false
    }
  }

  /// The connection could send more of the body than the body gives.
  private var awaitsBody: Bool {
    guard case .exchanging(let connection) = state.stage, case .piece = connection.state.http.nextToSend
    else {
      return false
    }
    return !state.upload.isOutstanding
  }

  /// The one way out: lets go of the connection, then tells the client.
  func finish(_ error: TransportError?, letGo: () -> Void) {
    if case .finished = state.stage { return }
    state.stage = .finished
    if isPaused { countHold() }
    if let timer = state.timer.take() { loop.cancel(timer) }
    cancelContinueTimer()
    stopMetering()
    // The signal holds the driver, which holds the source; and the source may hold a file open.
    if case .source(let source) = request.body { source.detach() }
    // Without a reader nothing more is decoded.
    state.decoding = nil
    letGo()
    state.client.take()?.exchange(self, didFinishWith: error)
  }

  /// It is over: its connection goes back to the pool, or rests where its owner wants it.
  func letGo(of connection: Connection, _ ending: HTTP1Exchange.Ending) {
    if case .close(let reason) = ending { state.metrics.closeReason = reason }
    if let lease = state.lease, ending == .reuse, !group.pool.isInvalidated {
      return lease.rest(connection, of: group)
    }
    group.release(connection, ending)
  }

  /// A pooled connection that had gone stale answers nothing; a fresh one may (RFC 9112 §9.3.1). It is made in the place
  /// of the old one: neither another used one nor a wait behind others would do.
  ///
  /// - Parameter unsolicited: What came cannot be meant for this request, of which nothing had been sent.
  func replayIfAllowed(unsolicited: Bool = false) -> Bool {
    guard !isBound, case .exchanging(let connection) = state.stage else { return false }
    let situation = replaySituation(on: connection, unsolicited: unsolicited)
    guard ReplayPolicy.allowsReplay(situation), rewindBody() else { return false }
    state.wasReplayed = true
    state.sendError = nil
    // What the stale connection had been sent is no part of what comes.
    (state.metrics.requestStart, state.metrics.requestEnd, state.metrics.responseStart) = (nil, nil, nil)
    (state.metrics.reusedConnection, state.metrics.connection) = (false, nil)
    state.metrics.requestHeadBytes = 0
    cancelContinueTimer()
    stopMetering()
    state.stage = .initial
    state.waitingSince = .distantFuture
    if isPaused { countHold() }
    connection.close()
    connect()
    return true
  }

  private func replaySituation(on connection: Connection, unsolicited: Bool) -> ReplayPolicy.Situation {
    ReplayPolicy.Situation(
      reusedConnection: state.metrics.reusedConnection,
      anyResponseByte: connection.state.http.hasReceivedAny && !unsolicited,
      anyRequestByteSent: connection.state.http.hasSentAny,
      isIdempotent: request.isIdempotent || request.answersChallenge,
      bodyIsReplayable: request.body.isReplayable, alreadyReplayed: state.wasReplayed)
  }

  /// Why the body kept the request from being sent once more; nil if that had nothing to do with it.
  private func replayObstacle(to cause: TransportError.Cause) -> String? {
    let isUnsolicited =
      if case .malformed(let error) = cause { error.rule == .unsolicitedResponse } else { false }
    switch cause {
    case .noResponse, .network: break
    case .malformed where isUnsolicited: break
    default: return nil
    }
    guard !isBound, case .exchanging(let connection) = state.stage, case .source(let source) = request.body,
      !source.canRewind
    else { return nil }
    var situation = replaySituation(on: connection, unsolicited: isUnsolicited)
    situation.bodyIsReplayable = true
    return ReplayPolicy.allowsReplay(situation) ? source.replayObstacle : nil
  }

  private func rewindBody() -> Bool {
    guard case .source(let source) = request.body else { return true }
    state.upload.restart()
    state.metrics.requestBodyBytes = 0
    return source.rewind()
  }

  /// Makes sure a timer looks at the budget when it runs out; one timer serves all phases.
  func armTimer() {
    guard var deadline = state.budget.deadline else { return }
    // The peer's kernel does not say when it takes something of a body: it has to be asked now and then.
    if case .source = request.body, !state.upload.isMeasured, let limit = request.timeouts.sending,
      case .exchanging(let connection) = state.stage,
      !connection.state.isRequestSent || state.upload.isUnconfirmed
    {
      deadline = Swift.min(deadline, loop.now.adding(.nanoseconds(limit / 4)))
    }
    if let known = state.timerDeadline, state.timer != nil, known <= deadline { return }
    if let timer = state.timer { loop.cancel(timer) }
    state.timerDeadline = deadline
    // Taken back when the request ends, so it keeps nothing alive for longer.
    state.timer = loop.schedule(at: deadline) { self.timerFired() }
  }

  /// Begins a phase of the exchange, perhaps with a shorter time limit than the one before.
  func begin(_ phase: TransportError.Phase) {
    state.budget.begin(phase, at: loop.now)
    // The client may have ended it when it was told what the phase begins with.
    if case .exchanging = state.stage { armTimer() }
  }

  private func timerFired() {
    state.timer = nil
    // Connecting looks after its own time.
    switch state.stage {
    case .initial, .identifying, .connecting, .finished: return
    case .tunnelling where state.budget.phase == .connecting: return
    case .tunnelling, .waiting, .awaitingDescriptor, .securing, .exchanging: break
    }
    let isExpired = state.budget.isExpired(at: loop.now)
    let hasMoved = uploadMoved()
    if !hasMoved, isExpired { return fail(.timedOut) }
    armTimer()
    // The client may end the request.
    if hasMoved { tellOfUpload() }
  }
}
