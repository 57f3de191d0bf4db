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
      _ = try state.parser.finish()
      exchange.responseEnded(on: self, reusable: false)
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

  /// Runs the parser over `bytes`, which are ours to move about.
  ///
  /// - Returns: how many bytes are done with.
  private func consume(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
    // Body that the parser has seen before a pause kept it from being delivered.
    var consumed = state.parsedBody
    var body = BodyGathering()
    _ = body.add(0..<consumed, in: bytes)
    state.parsedBody = 0
    do throws(HTTP1Error) {
      while let exchange = state.exchange, !exchange.isPaused {
        let start = consumed
        // A new span each time: bytes before `consumed` are moved between the calls.
        let input = UnsafeRawBufferPointer(bytes).assumingMemoryBound(to: UInt8.self).span
        switch try state.parser.next(in: input, consumed: &consumed) {
        case .needsMore:
          deliver(body.take(), of: bytes, to: exchange)
          return consumed
        case .interim(let status): exchange.received(interim: status, from: state.parser)
        case .head: exchange.received(state.parser.head, consumed - start, from: state.parser)
        case .body(let piece):
          if body.add(piece, in: bytes) { continue }
          deliver(body.take(), of: bytes, to: exchange)
          _ = body.add(piece, in: bytes)
        case .end:
          deliver(body.take(), of: bytes, to: exchange)
          // The parser says it again when the body may flow.
          guard state.exchange === exchange, !exchange.isPaused else { return consumed }
          end(exchange, unread: bytes[consumed...])
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
    // Paused, with a piece that is not delivered: it ends where the parser is.
    state.parsedBody = state.exchange == nil ? 0 : body.range.count
    return consumed - state.parsedBody
  }

  /// The response is complete, with these bytes behind it.
  private func end(_ exchange: Exchange, unread: Slice<UnsafeMutableRawBufferPointer>) {
    let isWhole = state.isRequestSent && exchange.sendError == nil && exchange.hasArrived()
    if state.parser.isUpgraded, isWhole {
      return exchange.upgraded(by: handOver(unread: Array(unread)), from: self)
    }
    // Bytes behind a complete response answer no question: never let them answer the next.
    let isClean = unread.isEmpty && !channel.hasUnread
    let isKept = state.parser.keepsConnection && !exchange.request.closesConnection
    exchange.responseEnded(on: self, reusable: isKept && isClean && isWhole && !channel.hasHungUp)
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
