import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

extension Connection {
  /// Full receive buffers that are taken in a row. A peer that is always ahead of us would keep the loop from
  /// everybody else, cancellation and time-outs included.
  private static var readsPerTurn: Int { 8 }

  /// Reads until the socket is drained, the exchange pauses, or the connection closes; a socket that is never empty
  /// goes on behind everybody else's turn.
  ///
  /// Called from loop events only, never from inside another connection's read: the receive buffer
  /// is shared.
  func receive() {
    if exchange?.isPaused == true { return }
    if let tls, tls.hasUnreadInput, state == .open { decrypt(tls) }
    var turns = Self.readsPerTurn
    // While a certificate is being judged, what comes stays in the kernel: a judge may take long.
    while isReadable, state != .closed, state != .judging, exchange?.isPaused != true {
      guard turns > 0 else { return receiveLater() }
      turns -= 1
      loop.withReceiveBuffer { buffer in
        switch Syscall.receive(descriptor, buffer) {
        case .bytes(let count):
          // A short read drained the socket; what comes later raises a new edge.
          if count < buffer.count, !peerHungUp { isReadable = false }
          received(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
          if !isReadable { drained(count) }
        case .wouldBlock: isReadable = false
        case .endOfStream:
          isReadable = false
          ended()
        case .failed(let error): exchange?.receivingBroke(error) ?? idleClosed()
        }
      }
    }
  }

  private func receiveLater() {
    guard !readsLater else { return }
    readsLater = true
    loop.enqueue { [connection = LoopConfined(self)] in
      connection.value.readsLater = false
      connection.value.receive()
    }
  }

  /// Takes up reading where a pause or a judgement stopped it. In loop context, but not inside a read.
  func resumeReading() {
    guard state == .open else { return }
    // Even without bytes at hand: the end of a response takes none.
    if exchange?.isPaused == false { consumeUnread() }
    if state != .closed { receive() }
  }

  private func received(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let tls else {
      guard exchange != nil else { return idleClosed() }
      return plaintext(bytes)
    }
    tls.feed(UnsafeRawBufferPointer(bytes))
    if state == .securing { advanceHandshake() }
    if state == .open { decrypt(tls) }
    if state == .open, !tls.output.isEmpty { answerRecords(tls) }
    // Unread records outlive the shared buffer while the application pauses or judges.
    if state != .closed { tls.keepUnreadInput() }
  }

  /// More answers than this wait for a peer that asks without reading.
  private static var answerLimit: Int { 1 << 20 }

  /// Some records are answered at once: a HelloRequest is refused (RFC 5246 §7.2.2).
  private func answerRecords(_ tls: TLSEngine) {
    flush()
    // A piece of a request's body is smaller by far.
    guard state == .open, tls.output.count > Self.answerLimit else { return }
    guard let exchange else { return idleClosed() }
    exchange.fail(.tls(TLSError(.protocolViolation, reason: "the peer asks for more than it reads")))
  }

  private func decrypt(_ tls: TLSEngine) {
    do throws(TLSError) {
      while state == .open, exchange?.isPaused != true {
        let goesOn = try group.pool.withPlaintextBuffer { buffer throws(TLSError) in
          try decrypt(tls, into: buffer)
        }
        guard goesOn else { return }
      }
    } catch {
      guard let exchange else { return idleClosed() }
      exchange.receivingBroke(error)
    }
  }

  /// - Returns: false if there is no more to read for now.
  private func decrypt(_ tls: TLSEngine, into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Bool
  {
    switch try tls.read(into: buffer) {
    case .bytes(let count):
      guard exchange != nil else {
        idleClosed()
        return false
      }
      plaintext(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      return true
    case .closed:
      plaintextEnded()
      return false
    case .needsInput, .handshakeComplete:
      return false
    }
  }

  /// The transport's end of stream, which over TLS is an end only after close_notify.
  private func ended() {
    // OpenSSL would spoil the session over a missing close_notify, which between responses cuts nothing short.
    guard exchange != nil else { return idleClosed() }
    guard let tls else { return plaintextEnded() }
    tls.endOfInput()
    switch state {
    case .securing: advanceHandshake()
    case .open: decrypt(tls)
    case .judging, .closed: break
    }
    // Nothing more will come to take a handshake further.
    if state == .securing { exchange?.fail(.tls(.closedInHandshake)) }
  }

  private func plaintextEnded() {
    guard let exchange else { return idleClosed() }
    do throws(HTTP1Error) {
      _ = try parser.finish()
      exchange.responseEnded(on: self, reusable: false)
    } catch {
      exchange.peerClosed(error)
    }
  }

  private func plaintext(_ bytes: UnsafeMutableRawBufferPointer) {
    exchange?.receivedAny(bytes.count)
    guard unread.isEmpty else {
      unread.append(contentsOf: bytes)
      return consumeUnread()
    }
    let consumed = consume(bytes)
    if consumed < bytes.count, state == .open, exchange != nil {
      unread.append(contentsOf: bytes[consumed...])
    }
  }

  private func consumeUnread() {
    var bytes = unread
    unread = []
    let consumed = bytes.withUnsafeMutableBytes { consume($0) }
    if consumed < bytes.count, state == .open, exchange != nil {
      unread = Array(bytes[consumed...])
    }
  }

  /// Runs the parser over `bytes`, which are ours to move about.
  ///
  /// - Returns: how many bytes are done with.
  private func consume(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
    // Body that the parser has seen before a pause kept it from being delivered.
    var consumed = parsedBody
    var body = BodyGathering()
    _ = body.add(0..<parsedBody, in: bytes)
    parsedBody = 0
    do throws(HTTP1Error) {
      while let exchange, !exchange.isPaused {
        let start = consumed
        // A new span each time: bytes before `consumed` are moved between the calls.
        let input = UnsafeRawBufferPointer(bytes).assumingMemoryBound(to: UInt8.self).span
        switch try parser.next(in: input, consumed: &consumed) {
        case .needsMore:
          deliver(body.take(), of: bytes, to: exchange)
          return consumed
        case .interim(let status): exchange.received(interim: status, from: parser)
        case .head: exchange.received(parser.head, consumed - start, from: parser)
        case .body(let piece):
          if body.add(piece, in: bytes) { continue }
          deliver(body.take(), of: bytes, to: exchange)
          _ = body.add(piece, in: bytes)
        case .end:
          deliver(body.take(), of: bytes, to: exchange)
          // The parser says it again when the body may flow.
          guard self.exchange === exchange, !exchange.isPaused else { return consumed }
          // Bytes behind a complete response answer no question: never let them answer the next.
          let isClean = consumed == bytes.count && tls?.hasUnreadInput != true
          let isKept = parser.keepsConnection && !exchange.request.closesConnection
          let isWhole = isRequestSent && exchange.sendError == nil && exchange.hasArrived()
          exchange.responseEnded(on: self, reusable: isKept && isClean && isWhole && !peerHungUp)
          return consumed
        }
      }
    } catch {
      guard let exchange else { return consumed }
      deliver(body.take(), of: bytes, to: exchange)
      // As with the end, which the error takes the place of.
      if self.exchange === exchange, !exchange.isPaused {
        exchange.receivedMalformed(error, isAlert: bytes.beginsTLSAlert && error.offset < 2)
      }
    }
    // Paused, with a piece that is not delivered: it ends where the parser is.
    parsedBody = exchange == nil ? 0 : body.range.count
    return consumed - parsedBody
  }

  private func deliver(
    _ range: Range<Int>, of bytes: UnsafeMutableRawBufferPointer, to exchange: Exchange
  ) {
    guard !range.isEmpty else { return }
    exchange.received(UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  /// An idle connection has ended or spoken out of turn; either way it is of no more use.
  private func idleClosed() {
    group.idleClosed(self)
    close()
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The type of an alert and the major version of every TLS (RFC 8446 §5.1), with which a server for https answers
  /// what is no TLS.
  fileprivate var beginsTLSAlert: Bool { first == 0x15 && (count < 2 || self[1] == 0x03) }
}
