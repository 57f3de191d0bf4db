import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

extension Exchange {
  func receivedAny(_ count: Int) {
    let now = loop.now
    if !anyResponseByte {
      anyResponseByte = true
      milestones.responseStart = now
      budget.begin(.receivingHead, at: now)
    } else {
      // Behind an interim response the final one begins.
      if budget.phase.isReceiving { budget.progress(at: now) } else { budget.begin(.receivingHead, at: now) }
    }
  }

  /// The final response's head, as so many bytes on the wire.
  func received(_ head: ResponseHead, _ byteCount: Int, from parser: borrowing ResponseParser) {
    // A final response instead of a 100 means the server does not want the body.
    awaitsContinue = false
    milestones.responseHeadBytes = byteCount
    budget.enter(.receivingBody)
    if upload.isOutstanding { measureUpload() }
    milestones.repairs = parser.repairs
    var length = parser.contentLength
    do throws(ContentCodingError) {
      if request.decodesContent, parser.bytesExpected != 0,
        let codings = ContentCoding.list(in: head.fields)
      {
        let settings = group.pool.configuration
        let isKept = client?.keepsBody(of: self) ?? false
        decoding = BodyDecoding(
          try ContentDecoder(
            codings: codings,
            limit: isKept ? settings.decompressionInMemory : settings.decompressionWhenStreaming))
        length = nil
      }
    } catch {
      return fail(.coding(error))
    }
    client?.exchange(self, didReceive: head, bodyLength: length)
  }

  /// A piece of the body as it came over the wire.
  func received(_ bytes: UnsafeRawBufferPointer) {
    milestones.responseBodyBytes += bytes.count
    guard decoding != nil else { return deliver(bytes) }
    decode(bytes)
  }

  func deliver(_ bytes: UnsafeRawBufferPointer) {
    milestones.decodedBodyBytes += bytes.count
    client?.exchange(self, didReceiveBody: bytes)
  }

  /// The response is complete on the wire.
  func responseEnded(on connection: Connection, reusable: Bool) {
    milestones.responseEnd = loop.now
    if let decoding {
      guard decoding.pending.isEmpty else {
        // Paused in the middle of decoding: the end comes after what is still to be decoded.
        self.decoding?.end = reusable
        return
      }
      do throws(ContentCodingError) {
        try decoding.decoder.finish()
      } catch {
        return fail(.coding(error))
      }
    }
    finish(nil) { group.release(connection, reusable: reusable) }
  }

  /// The response was the last word of HTTP/1.1 on this connection; the channel is open and nobody's.
  func upgraded(by upgrade: ChannelUpgrade, from connection: Connection) {
    milestones.responseEnd = loop.now
    if let client { client.exchange(self, didUpgrade: upgrade) } else { upgrade.channel.close() }
    finish(nil) { group.release(connection, reusable: false) }
  }

  /// - Parameter isAlert: What came begins as an alert of TLS does.
  func receivedMalformed(_ error: HTTP1Error, isAlert: Bool) {
    // Directly behind an interim response, the final one has begun.
    fail(
      isAlert ? .securePort(error) : .malformed(error),
      during: budget.phase.isReceiving ? budget.phase : .receivingHead)
  }

  /// The peer closed inside a response, or instead of one.
  func peerClosed(_ error: HTTP1Error) {
    if anyResponseByte { return fail(.truncated(error)) }
    if replayIfAllowed() { return }
    if let sendError { return fail(.network(sendError)) }
    fail(.noResponse)
  }

  func receivingBroke(_ error: SystemError) {
    if replayIfAllowed() { return }
    fail(.network(sendError ?? error))
  }

  func receivingBroke(_ error: TLSError) {
    if replayIfAllowed() { return }
    if !anyResponseByte, error.isTruncation { return fail(.noResponse) }
    fail(error.isTruncation ? .truncated(nil) : .tls(error))
  }
}
