import BluebonnetEventLoop
import BluebonnetHTTP1

// What the bytes of a response mean.
extension Connection {
  func receivedResponseBytes(_ bytes: UnsafeMutableRawBufferPointer) {
    state.exchange?.receivedAny(bytes.count)
    guard state.unread.isEmpty else {
      state.unread.append(contentsOf: bytes)
      return consumeUnread()
    }
    let consumed = consume(bytes)
    if consumed < bytes.count, state.phase == .open, state.exchange != nil {
      state.unread.append(contentsOf: bytes[consumed...])
    }
  }

  func responseBytesEnded() {
    guard let exchange = state.exchange else { return }
    do throws(HTTP1Error) {
      switch try state.http.peerEnded() {
      case .end(let ending): exchange.responseEnded(on: self, ending)
      case .upgrade: exchange.responseEnded(on: self, .close(.upgraded))
      case .needsMore, .interim, .head, .body:
        assertionFailure("the peer's end is an end")
        exchange.fail(.noResponse)
      }
    } catch {
      exchange.peerClosed(error)
    }
  }

  func consumeUnread() {
    var bytes = state.unread
    state.unread = []
    let consumed = bytes.withUnsafeMutableBytes { consume($0) }
    if consumed < bytes.count, state.phase == .open, state.exchange != nil {
      state.unread = Array(bytes[consumed...])
    }
  }

  /// Takes from `bytes`, which are ours to move about, what there is to take.
  ///
  /// - Returns: how many bytes are done with.
  private func consume(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
    // Body that was taken before a pause kept it from being delivered.
    var consumed = state.parsedBody
    var body = BodyGathering()
    _ = body.add(0..<consumed, in: bytes)
    state.parsedBody = 0
    do throws(HTTP1Error) {
      while let exchange = state.exchange, !exchange.isPaused {
        let start = consumed
        // A new span each time: bytes before `consumed` are moved between the calls.
        let input = UnsafeRawBufferPointer(bytes).assumingMemoryBound(to: UInt8.self).span
        switch try state.http.receive(in: input, consumed: &consumed) {
        case .needsMore:
          deliver(body.take(), of: bytes, to: exchange)
          return consumed
        case .interim(let status): exchange.received(interim: status, on: self)
        case .head: exchange.receivedHead(of: consumed - start, on: self)
        case .body(let piece):
          if body.add(piece, in: bytes) { continue }
          deliver(body.take(), of: bytes, to: exchange)
          _ = body.add(piece, in: bytes)
        case .end(let ending):
          deliver(body.take(), of: bytes, to: exchange)
          // It is said again when the body may flow.
          guard state.exchange === exchange, !exchange.isPaused else { return consumed }
          end(exchange, ending)
          return consumed
        case .upgrade:
          deliver(body.take(), of: bytes, to: exchange)
          guard state.exchange === exchange, !exchange.isPaused else { return consumed }
          upgrade(exchange, unread: bytes[consumed...])
          return consumed
        }
      }
    } catch {
      guard let exchange = state.exchange else { return consumed }
      deliver(body.take(), of: bytes, to: exchange)
      // As with the end, which the error takes the place of.
      if state.exchange === exchange, !exchange.isPaused {
        exchange.receivedMalformed(error, isAlert: bytes.beginsTLSAlert && error.offset < 2)
      }
    }
    // Paused, with a piece that is not delivered: it ends where the exchange is.
    state.parsedBody = state.exchange == nil ? 0 : body.range.count
    return consumed - state.parsedBody
  }

  /// The response is complete.
  private func end(_ exchange: Exchange, _ ending: HTTP1Exchange.Ending) {
    guard ending == .reuse, let reason = channelReason(exchange) else {
      return exchange.responseEnded(on: self, ending)
    }
    exchange.responseEnded(on: self, .close(reason))
  }

  /// The response was the last word of HTTP/1.1.
  private func upgrade(_ exchange: Exchange, unread: Slice<UnsafeMutableRawBufferPointer>) {
    if let reason = sendingReason(exchange) { return exchange.responseEnded(on: self, .close(reason)) }
    exchange.upgraded(by: handOver(unread: Array(unread)), from: self)
  }

  /// What the channel knows against another request.
  private func channelReason(_ exchange: Exchange) -> CloseReason? {
    if channel.hasHungUp { return .peerEnded }
    // Bytes behind a complete response answer no question: never let them answer the next.
    if channel.hasUnread { return .unexpectedBytes }
    return sendingReason(exchange)
  }

  /// What was sent has not arrived, as far as anybody knows.
  private func sendingReason(_ exchange: Exchange) -> CloseReason? {
    if exchange.sendError != nil { return .sendingFailed }
    return state.isRequestSent && exchange.hasArrived() ? nil : .requestIncomplete
  }

  private func deliver(
    _ range: Range<Int>, of bytes: UnsafeMutableRawBufferPointer, to exchange: Exchange
  ) {
    guard !range.isEmpty else { return }
    exchange.received(UnsafeRawBufferPointer(rebasing: bytes[range]))
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The type of an alert and the major version of every TLS (RFC 8446 §5.1), with which a server for https answers
  /// what is no TLS.
  fileprivate var beginsTLSAlert: Bool { first == 0x15 && (count < 2 || self[1] == 0x03) }
}
