// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1

// What the bytes of a response mean.
extension Connection {
  func receivedResponseBytes(_ bytes: UnsafeMutableRawBufferPointer, for client: any ConnectionClient) {
    client.receivedAny()
    guard state.unread.isEmpty else {
      state.unread.append(contentsOf: bytes)
      return consumeUnread(for: client)
    }
    let consumed = consume(bytes, for: client)
    if consumed < bytes.count, state.isOpen, state.client != nil {
      state.unread.append(contentsOf: bytes[consumed...])
    }
  }

  func responseBytesEnded() {
    guard let client = state.client else { return idleClosed() }
    do throws(HTTP1Error) {
      switch try state.http.peerEnded() {
      case .end(let ending): client.responseEnded(ending)
      case .upgrade: client.responseEnded(.close(.upgraded))
      case .needsMore, .interim, .head, .body:
        assertionFailure("the peer's end is an end")
        client.failed(.noResponse)
      }
    } catch {
      client.responseBroke(.closed(error))
    }
  }

  func consumeUnread(for client: any ConnectionClient) {
    var bytes = state.unread
    state.unread = []
    let consumed = bytes.withUnsafeMutableBytes { consume($0, for: client) }
    if consumed < bytes.count, state.isOpen, state.client != nil {
      state.unread = Array(bytes[consumed...])
    }
  }

  /// Consumes the front of `bytes`, which may be moved about.
  ///
  /// - Returns: how many bytes are done with.
  private func consume(_ bytes: UnsafeMutableRawBufferPointer, for client: any ConnectionClient) -> Int {
    // Body that was taken before a pause kept it from being delivered.
    var consumed = state.parsedBody
    var body = BodyGathering()
    _ = body.add(0..<consumed, in: bytes)
    state.parsedBody = 0
    do throws(HTTP1Error) {
      while state.client === client, !client.isPaused {
        let start = consumed
        // A new span each time: bytes before `consumed` are moved between the calls.
        let input = UnsafeRawBufferPointer(bytes).assumingMemoryBound(to: UInt8.self).span
        switch try state.http.receive(in: input, consumed: &consumed) {
        case .needsMore:
          deliver(body.take(), of: bytes, to: client)
          return consumed
        case .interim: client.received(interim: state.http.received().head)
        case .head:
          state.hasHead = true
          client.received(state.http.received(), of: consumed - start)
        case .body(let piece):
          if body.add(piece, in: bytes) { continue }
          deliver(body.take(), of: bytes, to: client)
          _ = body.add(piece, in: bytes)
        case .end(let ending):
          deliver(body.take(), of: bytes, to: client)
          // It is said again when the body may flow.
          guard state.client === client, !client.isPaused else { return consumed }
          end(client, ending)
          return consumed
        case .upgrade:
          deliver(body.take(), of: bytes, to: client)
          guard state.client === client, !client.isPaused else { return consumed }
          upgrade(client, unread: bytes[consumed...])
          return consumed
        }
      }
    } catch {
      guard state.client === client else { return consumed }
      deliver(body.take(), of: bytes, to: client)
      // As with the end, which the error takes the place of.
      if state.client === client, !client.isPaused {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
        if !state.hasHead { state.linesBeforeFault = error.lines(ofHeadAt: state.http.headOffset, in: rest) }
        client.responseBroke(.malformed(error, isAlert: error.isOfTLSAlert(in: bytes)))
      }
    }
    // Paused, with a piece that is not delivered: it ends where the request does.
    state.parsedBody = state.client === client ? body.range.count : 0
    return consumed - state.parsedBody
  }

  /// The response is complete.
  private func end(_ client: any ConnectionClient, _ ending: HTTP1Exchange.Ending) {
    if let trailers = state.http.receivedTrailers() { client.received(trailers: trailers) }
    guard ending == .reuse, let reason = channelReason(client) else { return client.responseEnded(ending) }
    client.responseEnded(.close(reason))
  }

  /// The response was the last word of HTTP/1.1.
  private func upgrade(_ client: any ConnectionClient, unread: Slice<UnsafeMutableRawBufferPointer>) {
    if let reason = sendingReason(client) { return client.responseEnded(.close(reason)) }
    client.upgraded(by: handOver(unread: Array(unread)))
  }

  /// The channel's objection to another request.
  private func channelReason(_ client: any ConnectionClient) -> CloseReason? {
    if channel.hasHungUp { return .peerEnded }
    // Bytes behind a complete response answer no question: never let them answer the next.
    if channel.hasUnread { return .unexpectedBytes }
    return sendingReason(client)
  }

  /// The request has not arrived yet, as far as is known.
  private func sendingReason(_ client: any ConnectionClient) -> CloseReason? {
    if state.sendError != nil { return .sendingFailed }
    return state.isRequestSent && client.hasArrived() ? nil : .requestIncomplete
  }

  private func deliver(
    _ range: Range<Int>, of bytes: UnsafeMutableRawBufferPointer, to client: any ConnectionClient
  ) {
    guard !range.isEmpty else { return }
    client.received(UnsafeRawBufferPointer(rebasing: bytes[range]))
  }
}

extension HTTP1Error {
  /// The whole lines of a head in front of the one that broke a rule.
  ///
  /// - Parameters:
  ///   - offset: The place of the head in the response.
  ///   - bytes: Begin with the head.
  fileprivate func lines(ofHeadAt offset: Int, in bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let judged = bytes.prefix(max(0, self.offset - offset))
    guard let end = judged.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    return Array(judged[...end])
  }
}
