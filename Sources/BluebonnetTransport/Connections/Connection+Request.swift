import BluebonnetEventLoop

// A request as bytes in their order.
extension Connection {
  /// Sends the exchange's request; the connection is open and idle.
  func serve(_ exchange: Exchange) {
    assert(state.phase == .open, "only an open connection serves")
    state.exchange = exchange
    state.parser.reset(toMethod: exchange.request.kind)
    state.isRequestSent = false
    exchange.requestStarts(on: self, reused: state.served > 0)
    state.served += 1
    switch exchange.request.body {
    case .none: state.framing = nil
    case .source(let source):
      state.framing = BodyFraming(source)
      exchange.upload.begin(length: source.length)
      source.attach { [loop, connection = LoopConfined(self)] in
        loop.enqueue { connection.value.bodyHasMore(for: exchange) }
      }
    }
    stageHead(exchange.request.head)
    flush()
  }

  /// The server said 100, or kept silent long enough: the body follows (RFC 9110 §10.1.1).
  func continueBody() {
    flush()
  }

  private func bodyHasMore(for exchange: Exchange) {
    guard state.exchange === exchange, state.phase == .open else { return }
    exchange.bodyIsLate = false
    flush()
  }

  private func stageHead(_ head: [UInt8]) {
    head.withUnsafeBytes { bytes in
      // Without a body there is nothing to share a system call, or a record, with: spare the copy.
      let sent = state.framing == nil && state.outgoing.isEmpty ? sendDirectly(bytes) : 0
      state.outgoing.append(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
    }
  }

  /// Moves the next piece of the body behind what is waiting to be sent.
  func stageBody() {
    guard let exchange = state.exchange, exchange.mayStageBody, var framing = state.framing else { return }
    exchange.bodyIsLate = false
    switch framing.stage(into: &state.outgoing) {
    case .staged(let count):
      state.framing = framing
      exchange.staged(count)
    case .later: exchange.bodyIsLate = true
    case .finished: state.framing = nil
    case .failed(let text): exchange.fail(.bodySource(text))
    }
  }
}
