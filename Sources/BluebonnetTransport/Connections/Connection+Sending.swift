import BluebonnetEventLoop

// Bytes to the channel, as far as it takes them.
extension Connection {
  /// Pieces of a body that are sent in a row. A peer that takes them as fast as they are made would keep the loop from
  /// everybody else, its own response included.
  private static var piecesPerTurn: Int { 16 }

  /// Sends what is staged and stages more, until the channel or the body source has to be waited for; a channel that is
  /// never full goes on behind everybody else's turn.
  func flush() {
    var turns = Self.piecesPerTurn
    while state.phase == .open {
      guard turns > 0 else { return flushLater() }
      turns -= 1
      if !state.isRequestSent, hasRoom { stageBody() }
      guard state.phase == .open else { return }
      guard sendStaged() else { return measureUpload() }
      guard state.phase == .open, let exchange = state.exchange else { return }
      exchange.flushedBody()
      if state.isRequestSent { return }
      if state.framing == nil {
        state.isRequestSent = true
        return exchange.requestEnded()
      }
      // A source that has nothing now, or a server that has not said 100, leaves the loop here.
      if !exchange.mayStageBody || exchange.bodyIsLate { return }
    }
  }

  /// What has not been given to the kernel yet.
  var unsentBytes: Int { state.outgoing.readable.count + channel.unsentBytes }

  /// How many bytes that were staged have not reached the peer's kernel, as they go over the wire; nil where nobody says.
  var unacknowledgedBytes: Int? {
    channel.unacknowledgedBytes.map { $0 + state.outgoing.readable.count }
  }

  /// A little room in the socket is none for a whole piece: what is staged beyond what it takes would add up.
  private var hasRoom: Bool { unsentBytes < BodyFraming.pieceSize }

  /// - Returns: whether everything has gone to the kernel.
  private func sendStaged() -> Bool {
    while !state.outgoing.isEmpty {
      switch channel.write(state.outgoing.readable) {
      case .bytes(let count):
        state.outgoing.sent(count)
        state.exchange?.sentAny()
      case .later: return false
      case .failed(let fault): return sendingBroke(fault)
      }
    }
    guard tls != nil else { return true }
    let before = channel.unsentBytes
    guard before > 0 else { return true }
    let result = channel.flush()
    if channel.unsentBytes < before { state.exchange?.sentAny() }
    switch result {
    case .done: return true
    case .later: return false
    case .failed(let fault): return sendingBroke(fault)
    }
  }

  /// Sends at once, as far as there is room.
  ///
  /// - Returns: how many bytes were taken.
  func sendDirectly(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard case .bytes(let count) = channel.write(bytes) else { return 0 }
    state.exchange?.sentAny()
    return count
  }

  private func measureUpload() {
    if state.phase == .open { state.exchange?.measureUpload() }
  }

  private func flushLater() {
    guard !state.sendsLater else { return }
    state.sendsLater = true
    loop.enqueue { [connection = LoopConfined(self)] in
      connection.value.state.sendsLater = false
      connection.value.flush()
    }
  }

  /// A server may answer and close before it has read the whole request (RFC 9112 §9.5): what it
  /// said is still to be read, so a broken pipe is no failure while there may be a response.
  private func sendingBroke(_ fault: ChannelFault) -> Bool {
    state.isRequestSent = true
    state.framing = nil
    state.outgoing.reset()
    switch fault {
    case .network(let error):
      state.exchange?.sendingBroke(error)
      loop.enqueue { [connection = LoopConfined(self)] in connection.value.receive() }
    case .tls(let error): state.exchange?.fail(.tls(error))
    }
    return false
  }
}
