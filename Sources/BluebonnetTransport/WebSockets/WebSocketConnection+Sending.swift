// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetWebSocket

extension WebSocketConnection {
  /// Sends a message.
  ///
  /// - Parameter completion: Called once, in loop context: when the kernel has all of the message, or it will never have.
  package func send(
    _ kind: WebSocketMessageKind, _ bytes: Span<UInt8>, completion: @escaping (TransportError?) -> Void
  ) {
    guard phase == .open else {
      return completion(TransportError(.webSocket(Self.closed), during: .exchangingMessages))
    }
    do throws(WebSocketError) {
      try endpoint.send(kind, bytes)
      // Counted from the beginning: bytes queued before it stay before it.
      senders.append(Sender(end: left + UInt64(endpoint.unsentBytes), completion: completion))
      flush()
    } catch {
      completion(TransportError(.webSocket(error), during: .exchangingMessages))
    }
  }

  /// Sends a ping.
  ///
  /// - Parameter completion: Called once, in loop context: when its pong has come, or a later one, or it will never come.
  package func ping(completion: @escaping (TransportError?) -> Void) {
    guard phase == .open else {
      return completion(TransportError(.webSocket(Self.closed), during: .exchangingMessages))
    }
    do throws(WebSocketError) {
      lastPing += 1
      let payload = withUnsafeBytes(of: lastPing.bigEndian) { Array($0) }
      try endpoint.ping(payload)
      pings.append(Ping(number: lastPing, sent: loop.now, completion: completion))
      flush()
      armTimer()
    } catch {
      completion(TransportError(.webSocket(error), during: .exchangingMessages))
    }
  }

  /// Closes, behind what waits to be sent. The peer's answer is waited for, the client hears of it and of the end. Does nothing
  /// if this side has closed before.
  package func close(_ code: WebSocketCloseCode?, reason: [UInt8] = []) throws(WebSocketError) {
    guard phase == .open else { return }
    try endpoint.close(code, reason: reason)
    phase = .closing
    // A suspended caller does not wait for the answer. Messages in hand are worked off first.
    holds.subtract(.caller)
    closeDeadline = MonotonicTime(nanoseconds: loop.now.nanoseconds &+ settings.closePatience)
    armTimer()
    flush()
    receiveLater()
  }

  private static var closed: WebSocketError { WebSocketError(.closed, fault: .caller) }

  /// Sends what waits, as far as the channel takes it.
  func flush() {
    guard phase != .over, sendFault == nil else { return }
    while endpoint.unsentBytes > 0 {
      let result = endpoint.withOutgoing { bytes in
        bytes.withUnsafeBytes { channel.write(UnsafeRawBufferPointer(rebasing: $0.prefix(Self.pieceSize))) }
      }
      switch result {
      case .bytes(let count):
        endpoint.sent(count)
        left += UInt64(count)
        stalledSince = nil
      case .later: return stalled()
      case .failed(let fault): return broke(fault)
      }
    }
    switch channel.flush() {
    case .done: stalledSince = nil
    case .later: return stalled()
    case .failed(let fault): return broke(fault)
    }
    tellSenders()
  }

  /// The most that is sent at once.
  private static var pieceSize: Int { 256 * 1024 }

  private func stalled() {
    if stalledSince == nil { stalledSince = loop.now }
    armTimer()
    tellSenders()
  }

  private func tellSenders() {
    while let sender = senders.first, sender.end <= left {
      _ = senders.popFirst()
      sender.completion(nil)
    }
  }

  /// Nothing more can be sent. What the peer said before it went away, a Close perhaps, is still to be read.
  private func broke(_ fault: ChannelFault) {
    sendFault = fault
    guard !isOver else { return close() }
    if holds.isEmpty, channel.mayRead || !unread.isEmpty { receiveLater() } else { ended(fault) }
  }
}
