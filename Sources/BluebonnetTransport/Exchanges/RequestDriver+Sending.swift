import BluebonnetEventLoop
import BluebonnetHTTP1

extension Exchange {
  func requestStarts(on connection: Connection, reused: Bool) {
    let now = loop.now
    metrics.reusedConnection = reused
    if reused {
      metrics.connecting = nil
      metrics.connection = connection.state.facts
    }
    metrics.requestStart = now
    metrics.requestHeadBytes = request.head.count
    budget.begin(.sending, at: now)
    armTimer()
    if connection.state.http.awaitsContinue { awaitContinue(on: connection) }
  }

  private func awaitContinue(on connection: Connection) {
    let patience = group.pool.configuration.continuePatience
    let deadline = MonotonicTime(nanoseconds: loop.now.nanoseconds &+ patience)
    // Taken back when the exchange ends: the patience may be long.
    continueTimer = loop.schedule(at: deadline) { [weak self, weak connection] in
      guard let self else { return }
      continueTimer = nil
      guard let connection, case .exchanging(connection) = state, connection.state.http.awaitsContinue
      else { return }
      connection.continueTimedOut()
    }
  }

  func endPatience() {
    if let timer = continueTimer.take() { loop.cancel(timer) }
  }

  func sentAny() {
    // Also behind a 100 or the beginning of an early response.
    budget.progress(at: loop.now)
  }

  func requestEnded() {
    metrics.requestEnd = loop.now
    if upload.isMeasured {
      measureUpload()
      // What lies in this machine's kernel has not been sent, as far as the peer is concerned.
      guard !upload.isOutstanding else { return }
    }
    if !budget.phase.isReceiving { budget.begin(.waiting, at: loop.now) }
  }

  func sendingBroke(_ error: SystemError) {
    sendError = error
  }

  func received(interim status: Int, on connection: Connection) {
    // The time until the final response is not that of receiving one.
    budget.begin(
      connection.state.isRequestSent && !upload.isOutstanding ? .waiting : .sending, at: loop.now)
    let head = connection.state.http.head
    // The body may be wanted now.
    if status == 100 { connection.flush() }
    client?.exchange(self, didReceiveInterim: head)
  }
}
