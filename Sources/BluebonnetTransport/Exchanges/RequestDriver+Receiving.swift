import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

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
      if response.bytesExpected != 0, let codings = codings(of: response.head.fields) {
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

  /// The codings to undo, in the order in which they were applied: the content's, then the transfer's.
  private func codings(of fields: FieldBlock) -> [ContentCoding]? {
    // The framing of the chunks is no part of the coded bytes.
    if request.transferCodings == .asReceived, fields.contains(.transferEncoding) { return nil }
    let content = request.decodesContent ? ContentCoding.list(in: fields) : nil
    guard request.transferCodings == .compressed, fields.contains(.transferEncoding) else { return content }
    let codings = (content ?? []) + ContentCoding.transferList(in: fields)
    return codings.isEmpty ? nil : codings
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

  /// - Parameter isAlert: What came begins as an alert of TLS does.
  func receivedMalformed(_ error: HTTP1Error, isAlert: Bool) {
    // A server's message before it closes a connection that was unused for long, such as a 408 (RFC 9110 §15.5.9),
    // makes it a stale one like any other.
    if error.rule == .unsolicitedResponse, replayIfAllowed(unsolicited: true) { return }
    // Directly behind an interim response, the final one has begun.
    let phase = state.budget.phase
    fail(
      isAlert ? .securePort(error) : .malformed(error), during: phase.isReceiving ? phase : .receivingHead)
  }

  /// The peer closed inside a response, or instead of one.
  func peerClosed(_ error: HTTP1Error) {
    if state.metrics.responseStart != nil { return fail(.truncated(error)) }
    if replayIfAllowed() { return }
    if let error = state.sendError { return fail(.network(error)) }
    fail(.noResponse)
  }

  func receivingBroke(_ fault: ChannelFault) {
    if replayIfAllowed() { return }
    switch fault {
    case .network(let error): fail(.network(state.sendError ?? error))
    case .tls(let error):
      if state.metrics.responseStart == nil, error.isTruncation { return fail(.noResponse) }
      fail(error.isTruncation ? .truncated(nil) : .tls(error))
    }
  }
}
