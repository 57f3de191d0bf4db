// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS

// Bytes, their end and failures, from the channel.
extension Connection {
  /// Full receive buffers that are taken in a row. A peer that is always ahead of us would keep the loop from
  /// all other work, cancellation and time-outs included.
  private static var readsPerTurn: Int { 8 }

  /// Reads until there is nothing more for now, the client pauses, or the connection closes; a channel that is never
  /// empty goes on after all work already queued.
  ///
  /// Called from loop events only, never from inside another connection's read: the receive buffer
  /// is shared.
  func receive() {
    var turns = Self.readsPerTurn
    var mayRead = channel.mayRead
    var last = 0
    while mayRead, state.isOpen, state.client?.isPaused != true {
      guard turns > 0 else { return receiveLater() }
      turns -= 1
      mayRead = withReceiveBuffer { receive(into: $0, &last) }
    }
  }

  /// - Parameter last: The bytes of the last read, which may turn out to have been all there were.
  /// - Returns: false if there is no more to read for now.
  private func receive(into buffer: UnsafeMutableRawBufferPointer, _ last: inout Int) -> Bool {
    switch channel.read(into: buffer) {
    case .bytes(let count):
      if count > 0 { received(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])) }
      guard state.isOpen else { return false }
      // TLS holds a part of a record more often than not.
      last = max(last, count)
      if channel.mayRead { return true }
      drained(last)
      last = 0
      // As it may if that has ended a batch.
      return channel.mayRead
    case .later:
      if last > 0 { drained(last) }
      return false
    case .end:
      responseBytesEnded()
      return false
    case .failed(let fault):
      receivingBroke(fault)
      return false
    }
  }

  private func received(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let client = state.client else { return idleClosed() }
    receivedResponseBytes(bytes, for: client)
  }

  private func receivingBroke(_ fault: ChannelFault) {
    guard let client = state.client else { return idleClosed() }
    client.responseBroke(.channel(fault))
  }

  /// The loop's buffer lies below TLS, and decrypted bytes have another one.
  private func withReceiveBuffer(_ body: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool {
    isLayered ? owner.withPlaintextBuffer(body) : loop.withReceiveBuffer(body)
  }

  private func receiveLater() {
    guard !state.readsLater else { return }
    state.readsLater = true
    loop.enqueue { [connection = LoopConfined(self)] in connection.value.step(.turnToRead) }
  }

  /// Takes up reading where a pause or a trust decision stopped it. In loop context, but not inside a read.
  func resumeReading() {
    // Even without bytes at hand: the end of a response takes none.
    if let client = state.client, !client.isPaused { consumeUnread(for: client) }
    receive()
  }

  /// An idle connection has ended or spoken out of turn; either way it is of no more use.
  func idleClosed() {
    owner.idleClosed(self)
    close()
  }
}
