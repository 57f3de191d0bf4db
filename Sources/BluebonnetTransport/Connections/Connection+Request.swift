import BluebonnetEventLoop
import BluebonnetHTTP1
import Glibc

// A request's bytes, from where they are to the channel.
extension Connection {
  /// The most of a body that is sent at once: large enough that a gigabyte needs few system calls.
  static let pieceSize = 256 * 1024

  /// Sends the exchange's request; the connection is open and idle.
  func serve(_ exchange: Exchange) {
    assert(state.phase == .open, "only an open connection serves")
    state.exchange = exchange
    state.isRequestSent = false
    let request = exchange.request
    var framing = HTTP1Exchange.RequestFraming.none
    if case .source(let source) = request.body { framing = source.length.map { .length($0) } ?? .chunked }
    do throws(HTTP1Error) {
      // Whoever did not offer another protocol closes the channel that is handed over.
      try state.http.start(
        request.kind, headBytes: request.head.count, body: framing, expectsContinue: request.expectsContinue,
        closesConnection: request.closesConnection, offersUpgrade: true)
    } catch {
      assertionFailure("a connection that serves can: \(error)")
      return exchange.fail(.invalidRequest(error))
    }
    exchange.requestStarts(on: self, reused: state.served > 0)
    state.served += 1
    if case .source(let source) = request.body {
      exchange.upload.begin(length: source.length)
      source.attach { [loop, connection = LoopConfined(self)] in
        loop.enqueue { connection.value.bodyHasMore(for: exchange) }
      }
    }
    flush()
  }

  /// The server that was asked for a 100 has kept silent for long enough (RFC 9110 §10.1.1).
  func continueTimedOut() {
    state.http.continueTimedOut()
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
    switch state.http.nextToSend {
    case .nothing, .awaitsContinue: return false
    case .bytes where state.http.outgoing.piece.isEmpty: return sendRest(of: exchange)
    case .bytes, .piece: break
    }
    guard case .source(let source) = exchange.request.body else {
      assertionFailure("a body is wanted of a request that has one")
      return sendRest(of: exchange)
    }
    exchange.bodyIsLate = false
    var sent = Sent()
    let reading = source.lend { bytes in
      sent = lend(bytes, of: exchange)
      return sent.bodyBytes
    }
    switch reading {
    case .lent:
      exchange.staged(sent.bodyBytes)
      return goesOn(sent.result)
    case .later:
      exchange.bodyIsLate = true
      return sendRest(of: exchange)
    case .end: return bodyEnded(exchange)
    case .failed(let text):
      state.http.bodyFailed()
      exchange.fail(.bodySource(text))
    }
    return false
  }

  private func lend(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> Sent {
    if case .piece(let most) = state.http.nextToSend {
      do throws(HTTP1Error) {
        try state.http.lend(min(bytes.count, most, Self.pieceSize))
      } catch {
        assertionFailure("as much is lent as is wanted: \(error)")
      }
    }
    return send(exchange.request.head, bytes)
  }

  private func bodyEnded(_ exchange: Exchange) -> Bool {
    let next = state.http.nextToSend
    do throws(HTTP1Error) {
      try state.http.endBody()
      return sendRest(of: exchange)
    } catch {
      state.http.bodyFailed()
      let missing = if case .piece(let most) = next { most } else { 0 }
      exchange.fail(.bodySource("it ended \(missing) bytes short of its declared length"))
      return false
    }
  }

  /// Sends what needs no more of the body: the head whose body waits, framing behind a piece.
  private func sendRest(of exchange: Exchange) -> Bool {
    if state.http.outgoing.isEmpty { return false }
    return goesOn(send(exchange.request.head, UnsafeRawBufferPointer(start: nil, count: 0)).result)
  }

  private struct Sent {
    var result = ChannelWriting.later
    var bodyBytes = 0
  }

  /// - Parameter rest: Begins with what is left of the piece that was lent last.
  private func send(_ head: [UInt8], _ rest: UnsafeRawBufferPointer) -> Sent {
    let result =
      if state.http.outgoing.isHeadAlone {
        head.withUnsafeBytes { channel.write(UnsafeRawBufferPointer(rebasing: $0[state.http.outgoing.head])) }
      } else {
        writeSegments(head, rest)
      }
    guard case .bytes(let count) = result else { return Sent(result: result) }
    do throws(HTTP1Error) {
      return Sent(result: result, bodyBytes: try state.http.sent(count))
    } catch {
      assertionFailure("a channel takes no more than it is given: \(error)")
      return Sent(result: result)
    }
  }

  private func writeSegments(_ head: [UInt8], _ rest: UnsafeRawBufferPointer) -> ChannelWriting {
    // The framing lies within: it must not be touched while it is lent.
    let outgoing = state.http.outgoing
    let rest = rest.assumingMemoryBound(to: UInt8.self).span
    return outgoing.withSegments(head: head.span, rest: rest) { head, prefix, piece, suffix in
      head.withUnsafeBytes { head in
        prefix.withUnsafeBytes { prefix in
          piece.withUnsafeBytes { piece in
            suffix.withUnsafeBytes { suffix in channel.write(head, prefix, piece, suffix) }
          }
        }
      }
    }
  }
}

extension Channel {
  /// Sends four pieces one behind the other, any of which may be empty.
  fileprivate func write(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, _ third: UnsafeRawBufferPointer,
    _ fourth: UnsafeRawBufferPointer
  ) -> ChannelWriting {
    withUnsafeTemporaryAllocation(of: iovec.self, capacity: 4) { pieces in
      var count = 0
      func add(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        // Only read: the type is that of a call that is used for receiving, too.
        let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        pieces.initializeElement(at: count, to: iovec(iov_base: base, iov_len: bytes.count))
        count += 1
      }
      add(first)
      add(second)
      add(third)
      add(fourth)
      return write(UnsafeMutableBufferPointer(rebasing: pieces[..<count]))
    }
  }
}
