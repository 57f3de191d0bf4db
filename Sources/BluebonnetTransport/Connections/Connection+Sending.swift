// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

// Bytes to the channel, as far as it takes them.
extension Connection {
  /// Pieces of a body that are sent in a row. A peer that takes them as fast as they are made would keep the loop from
  /// all other work, its own response included.
  private static var piecesPerTurn: Int { 16 }

  /// Sends what there is of the request, until the channel or the body's source has to be waited for; a channel that is
  /// never full goes on after all work already queued.
  func flush() {
    var turns = Self.piecesPerTurn
    while state.isOpen {
      // Bytes taken before come first: otherwise they would add up.
      guard !isLayered || flushChannel() else { return measureUpload() }
      guard !state.isRequestSent, let client = state.client else { return }
      if case .source = state.body {
        client.flushedBody()
        guard state.isOpen, state.client === client else { return }
      }
      if state.http.isRequestComplete {
        state.isRequestSent = true
        return client.requestEnded()
      }
      guard turns > 0 else { return flushLater() }
      turns -= 1
      guard sendMore(for: client) else { return }
    }
  }

  /// Notes the result of a write.
  ///
  /// - Returns: whether there may be room for more.
  func goesOn(_ result: ChannelWriting) -> Bool {
    switch result {
    case .bytes:
      state.client?.sentAny()
      return true
    case .later: measureUpload()
    case .failed(let fault): sendingBroke(fault)
    }
    return false
  }

  /// - Returns: whether everything has gone to the kernel.
  private func flushChannel() -> Bool {
    let before = channel.unsentBytes
    guard before > 0 else { return true }
    let result = channel.flush()
    if channel.unsentBytes < before { state.client?.sentAny() }
    switch result {
    case .done: return true
    case .later: break
    case .failed(let fault): sendingBroke(fault)
    }
    return false
  }

  private func measureUpload() {
    if state.isOpen { state.client?.measureUpload() }
  }

  private func flushLater() {
    guard !state.sendsLater else { return }
    state.sendsLater = true
    loop.enqueue { [connection = LoopConfined(self)] in connection.value.step(.turnToSend) }
  }

  /// A server may answer and close before it has read the whole request (RFC 9112 §9.5): what it
  /// said is still to be read, so a broken pipe is no failure while there may be a response.
  private func sendingBroke(_ fault: ChannelFault) {
    state.isRequestSent = true
    state.http.sendingFailed()
    switch fault {
    case .network(let error):
      state.sendError = error
      loop.enqueue { [connection = LoopConfined(self)] in connection.value.step(.turnToRead) }
    case .tls(let error): state.client?.failed(.tls(error))
    }
  }
}
