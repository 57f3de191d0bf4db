// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1

extension RequestDriver {
  /// - Parameters:
  ///   - phase: The phase to be blamed, if not the current one.
  ///   - isOfTarget: Whether it is the origin's, although a proxy is spoken to.
  func fail(
    _ cause: TransportError.Cause, during phase: TransportError.Phase? = nil, isOfTarget: Bool = false
  ) {
    let stage = state.stage
    let error = TransportError(
      situation(of: cause, isOfTarget: isOfTarget), during: phase ?? state.budget.phase, of: request)
    finish(error) {
      switch stage {
      case .initial, .finished: break
      case .waiting: group.cancel(self)
      case .settingUp(let setup):
        let isFault = if case .cancelled = cause { false } else { true }
        setup.cancel(blamesServer: isFault)
      case .exchanging(let connection): letGo(of: connection, .close(connection.state.http.cancel()))
      }
    }
  }

  /// The facts around a failure now.
  private func situation(of cause: TransportError.Cause, isOfTarget: Bool) -> FailureSituation {
    var situation = FailureSituation(of: cause, over: group.route)
    switch state.stage {
    case .initial, .finished: break
    case .waiting: if situation.isTimeout { situation.congestion = group.congestion }
    case .settingUp(let setup):
      if situation.isTimeout { situation.congestion = setup.congestion }
      situation.isOnItsWay = setup.isOnItsWay && !isOfTarget
    case .exchanging(let connection):
      situation.isServed = true
      situation.replay = isBound ? nil : replaySituation(on: connection)
      situation.linesBeforeFault = connection.state.linesBeforeFault
      if case .piece = connection.state.http.nextToSend { situation.awaitsBody = !state.upload.isOutstanding }
    }
    return situation
  }

  /// The one way out: lets go of the connection, then tells the client.
  func finish(_ error: TransportError?, letGo: () -> Void) {
    if case .finished = state.stage { return }
    state.stage = .finished
    if isPaused { countHold() }
    state.timer.cancel(on: loop)
    if let timer = state.uploadTimer.take() { loop.cancel(timer) }
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
  func replayIfAllowed(unsolicited: Bool) -> Bool {
    guard !isBound, case .exchanging(let connection) = state.stage else { return false }
    var situation = replaySituation(on: connection)
    if unsolicited { situation.anyResponseByte = false }
    guard ReplayPolicy.allowsReplay(situation) else { return false }
    if case .source(let source) = request.body {
      state.upload.restart()
      state.metrics.requestBodyBytes = 0
      guard source.rewind() else { return false }
    }
    state.wasReplayed = true
    state.metrics.beginAgain()
    if let timer = state.uploadTimer.take() { loop.cancel(timer) }
    state.stage = .initial
    state.waitingSince = .distantFuture
    if isPaused { countHold() }
    connection.close()
    connect()
    return true
  }

  private func replaySituation(on connection: Connection) -> ReplayPolicy.Situation {
    ReplayPolicy.Situation(
      request, over: connection.state.http, reused: state.metrics.reusedConnection,
      replayed: state.wasReplayed)
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
    if state.timer.goesOff(by: deadline) { return }
    // Taken back when the request ends, so it keeps nothing alive for longer.
    state.timer.set(to: deadline, on: loop) { self.timerFired() }
  }

  /// Begins a phase of the exchange, perhaps with a shorter time limit than the one before.
  func begin(_ phase: TransportError.Phase) {
    state.budget.begin(phase, at: loop.now)
    // The client may have ended it when it was told what the phase begins with.
    if case .exchanging = state.stage { armTimer() }
  }

  private func timerFired() {
    state.timer.wentOff()
    switch state.stage {
    case .initial, .finished: return
    // Connecting looks after its own time.
    case .settingUp(let setup) where setup.isIdentifying || state.budget.phase == .connecting: return
    case .settingUp, .waiting, .exchanging: break
    }
    let isExpired = state.budget.isExpired(at: loop.now)
    let hasMoved = uploadMoved()
    if !hasMoved, isExpired { return fail(.timedOut) }
    armTimer()
    // The client may end the request.
    if hasMoved { tellOfUpload() }
  }
}
