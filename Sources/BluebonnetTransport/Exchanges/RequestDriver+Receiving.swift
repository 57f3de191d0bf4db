// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1

// What the connection tells of the response.
extension RequestDriver {
  func receivedAny() {
    // Behind an interim response the final one begins.
    guard state.metrics.responseStart != nil, state.budget.phase.isReceiving else {
      if state.metrics.responseStart == nil { state.metrics.responseStart = loop.now }
      return begin(.receivingHead)
    }
    state.budget.progress(at: loop.now)
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
    do throws(ContentCodingError) {
      state.decoding = try BodyDecoding(
        of: response, decodesContent: request.decodesContent, transferCodings: request.transferCodings
      ) {
        let isKept = state.client?.keepsBody(of: self) ?? false
        let settings = group.pool.configuration
        return isKept ? settings.decompressionInMemory : settings.decompressionWhenStreaming
      }
    } catch {
      return fail(.coding(error))
    }
    let length = state.decoding == nil ? response.contentLength : nil
    state.client?.exchange(self, didReceive: response.head, bodyLength: length)
  }

  /// A piece of the body as it came over the wire.
  func received(_ bytes: UnsafeRawBufferPointer) {
    state.metrics.responseBodyBytes += bytes.count
    guard state.decoding != nil else { return deliver(bytes) }
    assert(state.decoding?.rest == nil, "nothing is read while there is something to decode")
    // Nothing of a coded body is decoded before it is wanted: a few bytes may become many.
    var input = bytes
    if !decode(from: &input) { state.decoding?.rest = BodyDecoding.Rest(input) }
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
    do throws(ContentCodingError) {
      try state.decoding?.finish()
    } catch {
      return fail(.coding(error))
    }
    finish(nil) { letGo(of: connection, ending) }
  }

  /// The response was the last HTTP/1.1 message on this connection; the channel is open and has no owner.
  func upgraded(by upgrade: ChannelUpgrade) {
    guard case .exchanging(let connection) = state.stage, let client = state.client else {
      return upgrade.channel.close()
    }
    state.metrics.responseEnd = loop.now
    client.exchange(self, didUpgrade: upgrade)
    finish(nil) { letGo(of: connection, .close(.upgraded)) }
  }

  func responseBroke(_ failure: PeerFailure) {
    guard case .exchanging(let connection) = state.stage else { return }
    let hasBegun = state.metrics.responseStart != nil
    if failure.mayBeStaleness(hasBegun: hasBegun), replayIfAllowed(unsolicited: failure.isUnsolicited) {
      return
    }
    fail(
      failure.cause(hasBegun: hasBegun, sendError: connection.state.sendError),
      during: failure.phase(in: state.budget.phase))
  }

  func failed(_ cause: TransportError.Cause) { fail(cause) }
}
