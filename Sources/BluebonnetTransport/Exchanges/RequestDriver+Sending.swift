import BluebonnetEventLoop
import BluebonnetHTTP1

// What the connection tells of the request.
extension RequestDriver: ConnectionClient {
  func requestStarts(headBytes: Int, reused: Bool) {
    guard case .exchanging(let connection) = state.stage else { return }
    let now = loop.now
    state.metrics.reusedConnection = reused
    if reused {
      state.metrics.connecting = nil
      state.metrics.connection = connection.facts
    }
    state.metrics.requestStart = now
    state.metrics.requestHeadBytes = headBytes
    if request.tellsHead {
      state.client?.exchange(self, didSend: request.head, over: connection.facts, isReused: reused)
    }
    begin(.sending)
    if case .source(let source) = request.body { state.upload.begin(length: source.length) }
    if connection.state.http.awaitsContinue { awaitContinue(on: connection) }
  }

  private func awaitContinue(on connection: Connection) {
    let patience = group.pool.configuration.continuePatience
    let deadline = MonotonicTime(nanoseconds: loop.now.nanoseconds &+ patience)
    // Taken back when the request ends: the patience may be long.
    state.continueTimer = loop.schedule(at: deadline) { [weak self, weak connection] in
      guard let self else { return }
      state.continueTimer = nil
      guard let connection, case .exchanging(connection) = state.stage else { return }
      connection.step(.continueTimedOut)
    }
  }

  func stopSendTimers() {
    if let timer = state.continueTimer.take() { loop.cancel(timer) }
    if let timer = state.uploadTimer.take() { loop.cancel(timer) }
  }

  func sentAny() {
    // Also behind a 100 or the beginning of an early response.
    state.budget.progress(at: loop.now)
  }

  func requestEnded() {
    state.metrics.requestEnd = loop.now
    if state.upload.isMeasured {
      measureUpload()
      // What lies in this machine's kernel has not been sent, as far as the peer is concerned.
      guard !state.upload.isOutstanding else { return }
    }
    if !state.budget.phase.isReceiving { begin(.waiting) }
  }

  func sendingBroke(_ error: SystemError) {
    state.sendError = error
  }

  var sendingHasBroken: Bool { state.sendError != nil }
}
