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
    guard case .source(let source) = exchange.request.body else { return sendHead(of: exchange) }
    exchange.upload.begin(length: source.length)
    source.attach { [loop, connection = LoopConfined(self)] in
      loop.enqueue { connection.value.bodyHasMore(for: exchange) }
    }
    state.outgoing.begin(
      headBytes: exchange.request.head.count, body: source.length.map { .length($0) } ?? .chunked)
    flush()
  }

  /// A head that is all of its request goes out whole and at once, nearly always.
  private func sendHead(of exchange: Exchange) {
    let head = exchange.request.head
    var sent = 0
    if case .bytes(let count) = head.withUnsafeBytes({ channel.write($0) }) {
      exchange.sentAny()
      sent = count
    }
    if sent == head.count, tls == nil || channel.unsentBytes == 0 {
      state.isRequestSent = true
      return exchange.requestEnded()
    }
    state.outgoing.begin(headBytes: head.count, body: .none)
    _ = state.outgoing.sent(sent)
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

  /// Sends the next bytes of the request, as far as they are at hand and the channel takes them.
  ///
  /// - Returns: whether it is worth while to go on.
  func sendMore(of exchange: Exchange) -> Bool {
    guard state.outgoing.needsBody, exchange.mayStageBody, case .source(let source) = exchange.request.body
    else { return sendRest(of: exchange) }
    exchange.bodyIsLate = false
    var sent = Sent()
    let reading = source.lend { bytes in
      if state.outgoing.wantsPiece { state.outgoing.lend(bytes.count) }
      sent = send(exchange.request.head, bytes)
      return sent.bodyBytes
    }
    switch reading {
    case .lent:
      exchange.staged(sent.bodyBytes)
      return goesOn(sent.result)
    case .later:
      exchange.bodyIsLate = true
      return sendRest(of: exchange)
    case .end:
      let missing = state.outgoing.endBody()
      if missing == 0 { return sendRest(of: exchange) }
      exchange.fail(.bodySource("it ended \(missing) bytes short of its declared length"))
    case .failed(let text): exchange.fail(.bodySource(text))
    }
    return false
  }

  /// Sends what needs no more of the body: the head whose body waits, framing behind a piece.
  private func sendRest(of exchange: Exchange) -> Bool {
    if state.outgoing.isEmpty { return false }
    return goesOn(send(exchange.request.head, UnsafeRawBufferPointer(start: nil, count: 0)).result)
  }

  private struct Sent {
    var result = ChannelWriting.later
    var bodyBytes = 0
  }

  /// - Parameter rest: Begins with what is left of the piece that was lent last.
  private func send(_ head: [UInt8], _ rest: UnsafeRawBufferPointer) -> Sent {
    let result =
      if let range = state.outgoing.headAlone {
        head.withUnsafeBytes { channel.write(UnsafeRawBufferPointer(rebasing: $0[range])) }
      } else {
        state.outgoing.withPieces(head: head, rest: rest) { channel.write($0) }
      }
    guard case .bytes(let count) = result else { return Sent(result: result) }
    return Sent(result: result, bodyBytes: state.outgoing.sent(count))
  }
}
