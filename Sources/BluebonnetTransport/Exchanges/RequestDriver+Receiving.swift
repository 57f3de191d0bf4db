import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1

// What the connection tells of the response.
extension RequestDriver {
  func receivedAny() {
    if state.metrics.responseStart == nil {
      state.metrics.responseStart = loop.now
      begin(.receivingHead)
    } else if state.budget.phase.isReceiving {
      state.budget.progress(at: loop.now)
    } else {
      // Behind an interim response the final one begins.
      begin(.receivingHead)
    }
  }

  func received(interim head: ResponseHead) {
    guard case .exchanging(let connection) = state.stage else { return }
    // The time until the final response is not that of receiving one.
    let isSent = connection.state.isRequestSent && !state.upload.isOutstanding
    begin(isSent ? .waiting : .sending)
    // The body may be wanted now.
    if head.status == 100 { connection.flush() }
    state.client?.exchange(self, didReceiveInterim: head)
  }

  /// The final response's head, as so many bytes on the wire.
  func received(_ response: ReceivedHead, of byteCount: Int) {
    state.metrics.responseHeadBytes = byteCount
    state.budget.enter(.receivingBody)
    if state.upload.isOutstanding { measureUpload() }
    state.metrics.repairs = response.repairs
    var length = response.contentLength
    do throws(ContentCodingError) {
      if response.bytesExpected != 0,
        let codings = ContentCoding.codings(of: response.head.fields, toUndoFor: request)
      {
        let settings = group.pool.configuration
        let isKept = state.client?.keepsBody(of: self) ?? false
        state.decoding = BodyDecoding(
          try ContentDecoder(
            codings: codings,
            limit: isKept ? settings.decompressionInMemory : settings.decompressionWhenStreaming))
        length = nil
      }
    } catch {
      return fail(.coding(error))
    }
    state.client?.exchange(self, didReceive: response.head, bodyLength: length)
  }

  /// A piece of the body as it came over the wire.
  func received(_ bytes: UnsafeRawBufferPointer) {
    state.metrics.responseBodyBytes += bytes.count
    guard state.decoding != nil else { return deliver(bytes) }
    decode(bytes)
  }

  func deliver(_ bytes: UnsafeRawBufferPointer) {
    state.metrics.decodedBodyBytes += bytes.count
    state.client?.exchange(self, didReceiveBody: bytes)
  }

  func received(trailers: FieldBlock) {
    state.client?.exchange(self, didReceiveTrailers: trailers)
  }

  /// The response is complete on the wire.
  func responseEnded(_ ending: HTTP1Exchange.Ending) {
    guard case .exchanging(let connection) = state.stage else { return }
    // Bytes received since the head are reported before the end.
    if state.upload.isMeasured { tellOfUpload() }
    guard case .exchanging = state.stage else { return }
    state.metrics.responseEnd = loop.now
    // Chunks and trailers may have had something, too.
    if ending == .close(.repaired) { state.metrics.repairs = connection.state.http.repairs }
    if let decoding = state.decoding {
      // The connection holds the end back, too, so that it looks for the peer's end behind it.
      assert(decoding.rest == nil, "the end comes behind the body")
      do throws(ContentCodingError) {
        try decoding.decoder.finish()
      } catch {
        return fail(.coding(error))
      }
    }
    finish(nil) { letGo(of: connection, ending) }
  }

  /// The response was the last HTTP/1.1 message on this connection; the channel is open and has no owner.
  func upgraded(by upgrade: ChannelUpgrade) {
    guard case .exchanging(let connection) = state.stage else { return upgrade.channel.close() }
    state.metrics.responseEnd = loop.now
    if let client = state.client {
      client.exchange(self, didUpgrade: upgrade)
    } else {
      upgrade.channel.close()
    }
    finish(nil) { letGo(of: connection, .close(.upgraded)) }
  }

  func responseBroke(_ failure: PeerFailure) {
    let hasBegun = state.metrics.responseStart != nil
    if failure.mayBeStaleness(hasBegun: hasBegun), replayIfAllowed(unsolicited: failure.isUnsolicited) {
      return
    }
    fail(
      failure.cause(hasBegun: hasBegun, sendError: state.sendError),
      during: failure.phase(in: state.budget.phase))
  }

  func failed(_ cause: TransportError.Cause) { fail(cause) }
}
