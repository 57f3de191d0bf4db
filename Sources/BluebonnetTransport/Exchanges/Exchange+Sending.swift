import BluebonnetEventLoop
import BluebonnetHTTP1

extension Exchange {
  /// How long a server that was asked for a 100 may keep silent before the body goes out anyway
  /// (RFC 9110 §10.1.1 forbids waiting indefinitely; curl waits one second too).
  private static var continuePatience: UInt64 { 1_000_000_000 }

  func requestStarts(on connection: Connection, reused: Bool) {
    let now = loop.now
    milestones.reusedConnection = reused
    if reused {
      milestones.connecting = nil
      milestones.connection = connection.state.facts
    }
    milestones.requestStart = now
    milestones.requestHeadBytes = request.head.count
    anyRequestByteSent = false
    anyResponseByte = false
    budget.begin(.sending, at: now)
    armTimer()
    if request.expectsContinue, case .source = request.body { awaitContinue(on: connection) }
  }

  private func awaitContinue(on connection: Connection) {
    awaitsContinue = true
    let deadline = MonotonicTime(nanoseconds: loop.now.nanoseconds &+ Self.continuePatience)
    _ = loop.schedule(at: deadline) { [weak self, weak connection] in
      guard let self, let connection else { return }
      stopAwaitingContinue(on: connection)
    }
  }

  private func stopAwaitingContinue(on connection: Connection) {
    guard awaitsContinue, case .exchanging(connection) = state else { return }
    awaitsContinue = false
    connection.continueBody()
  }

  var mayStageBody: Bool { !awaitsContinue }

  func sentAny() {
    anyRequestByteSent = true
    // Also behind a 100 or the beginning of an early response.
    budget.progress(at: loop.now)
  }

  func requestEnded() {
    milestones.requestEnd = loop.now
    if upload.isMeasured {
      measureUpload()
      // What lies in this machine's kernel has not been sent, as far as the peer is concerned.
      guard !upload.isOutstanding else { return }
    }
    if !budget.phase.isReceiving { budget.begin(.firstByte, at: loop.now) }
  }

  func sendingBroke(_ error: SystemError) {
    sendError = error
  }

  func received(interim status: Int, from parser: borrowing ResponseParser) {
    guard case .exchanging(let connection) = state else { return }
    // The time until the final response is not that of receiving one.
    budget.begin(
      connection.state.isRequestSent && !upload.isOutstanding ? .firstByte : .sending, at: loop.now)
    if status == 100 { stopAwaitingContinue(on: connection) }
    client?.exchange(self, didReceiveInterim: parser.head)
  }
}
