import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

extension Exchange {
  func receivedAny(_ count: Int) {
    let now = loop.now
    if metrics.responseStart == nil {
      metrics.responseStart = now
      budget.begin(.receivingHead, at: now)
    } else {
      // Behind an interim response the final one begins.
      if budget.phase.isReceiving { budget.progress(at: now) } else { budget.begin(.receivingHead, at: now) }
    }
  }

  /// The final response's head, as so many bytes on the wire.
  func receivedHead(of byteCount: Int, on connection: Connection) {
    let head = connection.state.http.head
    metrics.responseHeadBytes = byteCount
    budget.enter(.receivingBody)
    if upload.isOutstanding { measureUpload() }
    metrics.repairs = connection.state.http.repairs
    var length = connection.state.http.contentLength
    do throws(ContentCodingError) {
      if request.decodesContent, connection.state.http.bytesExpected != 0,
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
    metrics.responseBodyBytes += bytes.count
    guard decoding != nil else { return deliver(bytes) }
    decode(bytes)
  }

  func deliver(_ bytes: UnsafeRawBufferPointer) {
    metrics.decodedBodyBytes += bytes.count
    client?.exchange(self, didReceiveBody: bytes)
  }

  /// The response is complete on the wire.
  func responseEnded(on connection: Connection, _ ending: HTTP1Exchange.Ending) {
    metrics.responseEnd = loop.now
    if let decoding {
      guard decoding.pending.isEmpty else {
        // Paused in the middle of decoding: the end comes after what is still to be decoded.
        self.decoding?.end = ending
        return
      }
      do throws(ContentCodingError) {
        try decoding.decoder.finish()
      } catch {
        return fail(.coding(error))
      }
    }
    finish(nil) { letGo(of: connection, ending) }
  }

  /// The response was the last word of HTTP/1.1 on this connection; the channel is open and nobody's.
  func upgraded(by upgrade: ChannelUpgrade, from connection: Connection) {
    metrics.responseEnd = loop.now
    if let client { client.exchange(self, didUpgrade: upgrade) } else { upgrade.channel.close() }
    finish(nil) { letGo(of: connection, .close(.upgraded)) }
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
    if metrics.responseStart != nil { return fail(.truncated(error)) }
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
    if metrics.responseStart == nil, error.isTruncation { return fail(.noResponse) }
    fail(error.isTruncation ? .truncated(nil) : .tls(error))
  }
}
