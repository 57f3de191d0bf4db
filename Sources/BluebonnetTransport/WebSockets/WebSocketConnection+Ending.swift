// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetWebSocket

extension WebSocketConnection {
  /// Ends it now, with `.cancelled`. The peer is told that this side goes away, if that can still be said.
  package func cancel() {
    guard !isOver else { return }
    // A code that may be sent, without a reason.
    try? endpoint.close(.goingAway)
    fail(.cancelled, during: .cancelling)
  }

  /// Ends it with an error, of which the endpoint may have a Close to say.
  func fail(_ cause: TransportError.Cause, during phase: TransportError.Phase, seconds: Double? = nil) {
    guard !isOver else { return }
    flush()
    // As may have ended it.
    guard !isOver else { return }
    linger(TransportError(cause, during: phase, seconds: seconds))
  }

  /// Both sides have closed, and everything is said.
  func endIfClosed() {
    guard !isOver, endpoint.isClosed else { return }
    phase = .closing
    guard endpoint.unsentBytes == 0 || sendFault != nil else {
      // The last of ours waits for room.
      closeDeadline =
        closeDeadline ?? MonotonicTime(nanoseconds: loop.now.nanoseconds &+ settings.closePatience)
      return armTimer()
    }
    linger(nil)
  }

  /// It is over for the client; the peer ends the connection (RFC 6455 §7.1.1), or patience does.
  private func linger(_ error: TransportError?) {
    finish(error)
    guard phase == .lingering, sendFault == nil, endpoint.unsentBytes == 0 else { return close() }
    // A cancelled connection does not wait for the peer.
    let isCancelled = if case .cancelled? = error?.cause { true } else { false }
    let patience = isCancelled ? min(settings.closePatience, Self.cancelledPatience) : settings.closePatience
    closeDeadline = MonotonicTime(nanoseconds: loop.now.nanoseconds &+ patience)
    armTimer()
    channel.notifyOfClose()
    guard case .failed = channel.flush() else { return receiveLater() }
    close()
  }

  /// The time that the peer of a cancelled connection may take to end it, in nanoseconds.
  private static var cancelledPatience: UInt64 { 1_000_000_000 }

  /// Tells the client, and all that wait for something.
  func finish(_ error: TransportError?) {
    guard !isOver else { return }
    phase = .lingering
    stalledSince = nil
    unread = []
    holds = []
    let failure = error ?? TransportError(.webSocket(WebSocketError(.closed)), during: .exchangingMessages)
    for sender in senders.takeAll() { sender.completion(failure) }
    for ping in pings.takeAll() { ping.completion(failure) }
    let told = client
    client = nil
    told?.webSocket(self, didEndWith: error)
  }

  /// The end of the channel.
  func close() {
    guard phase != .over else { return }
    finish(nil)
    phase = .over
    if let timer = timer.take() { loop.cancel(timer) }
    channel.close()
  }

  func pongCame(_ payload: [UInt8]) {
    // Not a pong for our ping: unsolicited (§5.5.3).
    guard payload.count == 8 else { return }
    let number = payload.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    // One that is answered late stands for those before it.
    while let ping = pings.first, ping.number <= number, number <= lastPing {
      _ = pings.popFirst()
      ping.completion(nil)
    }
  }
}

// MARK: - Time

extension WebSocketConnection {
  /// Makes sure that a timer fires when the first time limit is due.
  func armTimer() {
    guard phase != .over, let deadline = nextDeadline else { return }
    if let known = timerDeadline, timer != nil, known <= deadline { return }
    if let timer { loop.cancel(timer) }
    timerDeadline = deadline
    // Taken back when the channel closes.
    timer = loop.schedule(at: deadline) { [weak self] in self?.timerFired() }
  }

  private var nextDeadline: MonotonicTime? {
    [
      closeDeadline, silence(since: isOver ? nil : stalledSince),
      silence(since: isOver ? nil : pings.first?.sent),
    ]
    .compactMap(\.self).min()
  }

  private func silence(since start: MonotonicTime?) -> MonotonicTime? {
    guard let start, let limit = settings.silence else { return nil }
    return MonotonicTime(nanoseconds: start.nanoseconds &+ limit)
  }

  private func timerFired() {
    timer = nil
    timerDeadline = nil
    let now = loop.now
    if let closeDeadline, closeDeadline <= now {
      if isOver { return close() }
      finish(timedOut(settings.closePatience, during: .exchangingMessages))
      return close()
    }
    if let due = silence(since: stalledSince), due <= now {
      finish(timedOut(settings.silence ?? 0, during: .sending))
      return close()
    }
    if let ping = pings.first, let due = silence(since: ping.sent), due <= now {
      // A pong that the client itself keeps from being read is not missing.
      guard !holds.isEmpty || !unread.isEmpty else {
        try? endpoint.close(.goingAway)
        return fail(
          .timedOut, during: .exchangingMessages, seconds: settings.silence.map { Double($0) / 1e9 })
      }
      // It gets its time again.
      while let ping = pings.first, ping.sent < now {
        _ = pings.popFirst()
        pings.append(Ping(number: ping.number, sent: now, completion: ping.completion))
      }
    }
    armTimer()
  }

  private func timedOut(_ limit: UInt64, during phase: TransportError.Phase) -> TransportError {
    TransportError(.timedOut, during: phase, seconds: Double(limit) / 1e9)
  }
}
