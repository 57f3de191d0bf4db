// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetWebSocket

extension WebSocketConnection {
  /// The most full buffers taken in a row: a peer that is always ahead would keep the loop from all other work.
  private static var readsPerTurn: Int { 8 }

  /// Reads until there is nothing more for now, the client holds back, or it is over. Called from loop events only, never
  /// from inside a read: the receive buffer is shared.
  func receive() {
    guard !isReading else { return receiveLater() }
    isReading = true
    defer { isReading = false }
    var turns = Self.readsPerTurn
    while phase != .over, holds.isEmpty || phase == .lingering {
      guard turns > 0 else { return receiveLater() }
      turns -= 1
      // Bytes held back, and released while they were told, come before anything that is still in the channel.
      takeUnread()
      guard unread.isEmpty else { continue }
      guard channel.mayRead else {
        // All that came before it has been told.
        if let sendFault, !isOver { ended(sendFault) }
        return
      }
      guard read() else { return }
    }
  }

  /// The bytes that may still come after the end, when they are dropped: as much as two sockets held on the way. A peer that sends
  /// more does not mean to close.
  private static var lingeringLimit: Int { 1 << 20 }

  func receiveLater() {
    guard !readsLater, phase != .over else { return }
    readsLater = true
    loop.enqueue { [connection = LoopConfined(self)] in
      connection.value.readsLater = false
      connection.value.receive()
    }
  }

  /// - Returns: false if there is nothing more for now.
  private func read() -> Bool {
    let reading =
      channel.layers == 0
      ? loop.withReceiveBuffer { read(into: $0) }
      // The loop's buffer lies below TLS.
      : withUnsafeTemporaryAllocation(byteCount: Self.plaintextBuffer, alignment: 16) { read(into: $0) }
    switch reading {
    case .bytes: return true
    case .later: return false
    case .end: ended(nil)
    case .failed(let fault): ended(fault)
    }
    return false
  }

  /// Four full records.
  private static var plaintextBuffer: Int { 65_536 }

  private func read(into buffer: UnsafeMutableRawBufferPointer) -> ChannelReading {
    let reading = channel.read(into: buffer)
    guard case .bytes(let count) = reading, count > 0 else { return reading }
    if phase == .lingering {
      lingered += count
      if lingered > Self.lingeringLimit { close() }
    } else {
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return reading
  }

  private func takeUnread() {
    guard !unread.isEmpty, holds.isEmpty else { return }
    var bytes: [UInt8] = []
    swap(&bytes, &unread)
    bytes.withUnsafeBytes { take($0) }
  }

  /// Takes what the client does not hold back, and of messages about as many bytes as the buffer holds: a few compressed bytes can be
  /// a thousand messages, and other work of the loop, such as a suspension, is to have its turn between them. The rest is kept.
  private func take(_ bytes: UnsafeRawBufferPointer) {
    guard phase == .open || phase == .closing else { return }
    let input = bytes.assumingMemoryBound(to: UInt8.self).span
    var consumed = 0
    var told = 0
    do throws(WebSocketError) {
      while holds.isEmpty, !isOver, told < ReceiveBuffer.capacity {
        switch try endpoint.receive(in: input, consumed: &consumed) {
        case .needsMore, .end: return answered()
        case .message(let kind):
          let message = endpoint.takeMessage()
          // An empty one takes time as well.
          told += message.count + 64
          client?.webSocket(self, didReceive: kind, message)
        case .ping: break
        case .pong(let payload): pongCame(payload)
        case .close(let close): client?.webSocket(self, didReceive: close)
        }
      }
    } catch {
      return fail(.webSocket(error), during: .exchangingMessages)
    }
    if !isOver { unread = Array(bytes[consumed...]) }
    answered()
  }

  /// Sends what the input has made necessary: pongs, and a Close.
  private func answered() {
    if endpoint.unsentBytes > 0 { flush() }
    endIfClosed()
  }

  /// The stream has ended, well or not.
  func ended(_ fault: ChannelFault?) {
    if isOver { return close() }
    do throws(WebSocketError) {
      try endpoint.peerEnded()
      // Its Close has come, and ours cannot be delivered any more.
      finish(nil)
    } catch {
      finish(
        TransportError(
          fault.map(\.cause) ?? sendFault.map(\.cause) ?? .webSocket(error), during: .exchangingMessages))
    }
    close()
  }
}

extension ChannelFault {
  /// A connection that ends without close_notify is not distinguished from one that ends without a Close.
  fileprivate var cause: TransportError.Cause {
    switch self {
    case .network(let error): .network(error)
    case .tls(let error): error.isTruncation ? .webSocket(WebSocketError(.truncated)) : .tls(error)
    }
  }
}
