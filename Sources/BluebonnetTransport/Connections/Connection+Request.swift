// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLibc

// A request's bytes, from where they are to the channel.
extension Connection {
  /// The most of a body that is sent at once: large enough that a gigabyte needs few system calls.
  static let pieceSize = 256 * 1024

  /// Sends a request; the connection is open and idle.
  func serve(_ client: any ConnectionClient, _ request: ExchangeRequest) {
    assert(state.isOpen, "only an open connection serves")
    state.client = client
    state.hasHead = false
    state.isRequestSent = false
    state.sendError = nil
    state.head = request.head
    state.body = request.body
    var framing = HTTP1Exchange.RequestFraming.none
    if case .source(let source) = state.body { framing = source.length.map { .length($0) } ?? .chunked }
    do throws(HTTP1Error) {
      // A client that did not offer another protocol closes the channel it is given.
      try state.http.start(
        request.kind, headBytes: state.head.count, body: framing, expectsContinue: request.expectsContinue,
        closesConnection: request.closesConnection, offersUpgrade: true,
        transferCodings: request.transferCodings)
    } catch {
      assertionFailure("a connection that serves can: \(error)")
      return client.failed(.invalidRequest(error))
    }
    if state.http.awaitsContinue {
      let deadline = loop.now.adding(.nanoseconds(owner.continuePatience))
      // Taken back when the request ends: the patience may be long.
      state.continueTimer = loop.schedule(at: deadline) { [weak self] in self?.step(.continueTimedOut) }
    }
    client.requestStarts(headBytes: state.head.count, reused: state.served > 0)
    state.served += 1
    if case .source(let source) = state.body {
      source.attach { [loop, connection = LoopConfined(self), client = LoopConfined(client)] in
        loop.enqueue { connection.value.step(.bodyAtHand(client.value)) }
      }
    }
    flush()
  }

  /// Sends the next bytes of the request, as far as they are at hand and the channel takes them.
  ///
  /// - Returns: whether it is worth while to go on.
  func sendMore(for client: any ConnectionClient) -> Bool {
    switch state.http.nextToSend {
    case .nothing, .awaitsContinue: return false
    case .bytes where state.http.outgoing.piece.isEmpty: return sendRest()
    case .bytes, .piece: break
    }
    guard case .source(let source) = state.body else {
      assertionFailure("a body is wanted of a request that has one")
      return sendRest()
    }
    // The rest of a piece waits with it.
    if client.isSuspended { return state.http.outgoing.piece.isEmpty ? sendRest() : false }
    var sent = Sent()
    let reading = source.lend { bytes in
      sent = lend(bytes)
      return sent.bodyBytes
    }
    switch reading {
    case .lent:
      client.staged(sent.bodyBytes)
      return goesOn(sent.result)
    case .later: return sendRest()
    case .end: return bodyEnded(client)
    case .failed(let text, let cause):
      state.http.bodyFailed()
      client.failed(.bodySource(text, cause: cause))
    }
    return false
  }

  private func lend(_ bytes: UnsafeRawBufferPointer) -> Sent {
    if case .piece(let most) = state.http.nextToSend {
      do throws(HTTP1Error) {
        try state.http.lend(min(bytes.count, most, Self.pieceSize))
      } catch {
        assertionFailure("as much is lent as is wanted: \(error)")
      }
    }
    return send(bytes)
  }

  private func bodyEnded(_ client: any ConnectionClient) -> Bool {
    let next = state.http.nextToSend
    do throws(HTTP1Error) {
      try state.http.endBody()
      return sendRest()
    } catch {
      state.http.bodyFailed()
      let missing = if case .piece(let most) = next { most } else { 0 }
      client.failed(.bodySource("it ended \(missing) bytes short of its declared length"))
      return false
    }
  }

  /// Sends the rest that needs no more of the body: the head of a waiting body, framing behind a piece.
  private func sendRest() -> Bool {
    if state.http.outgoing.isEmpty { return false }
    return goesOn(send(UnsafeRawBufferPointer(start: nil, count: 0)).result)
  }

  private struct Sent {
    var result = ChannelWriting.later
    var bodyBytes = 0
  }

  /// - Parameter rest: Begins with the rest of the piece that was lent last.
  private func send(_ rest: UnsafeRawBufferPointer) -> Sent {
    let result =
      if state.http.outgoing.isHeadAlone {
        state.head.withUnsafeBytes {
          channel.write(UnsafeRawBufferPointer(rebasing: $0[state.http.outgoing.head]))
        }
      } else {
        channel.write(state.http.outgoing, head: state.head, rest: rest)
      }
    guard case .bytes(let count) = result else { return Sent(result: result) }
    do throws(HTTP1Error) {
      return Sent(result: result, bodyBytes: try state.http.sent(count))
    } catch {
      assertionFailure("a channel takes no more than it is given: \(error)")
      return Sent(result: result)
    }
  }
}
