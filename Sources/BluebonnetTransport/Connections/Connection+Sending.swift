import BluebonnetEventLoop
import BluebonnetTLS

extension Connection {
  /// Sends the exchange's request; the connection is open and idle.
  func serve(_ exchange: Exchange) {
    self.exchange = exchange
    parser.reset(toMethod: exchange.request.kind)
    isRequestSent = false
    exchange.requestStarts(on: self, reused: served > 0)
    served += 1
    switch exchange.request.body {
    case .none: framing = nil
    case .source(let source):
      framing = BodyFraming(source)
      exchange.upload.begin(length: source.length)
      source.attach { [loop, connection = LoopConfined(self)] in
        loop.enqueue { connection.value.bodyHasMore(for: exchange) }
      }
    }
    stageHead(exchange.request.head)
    flush()
  }

  /// The server said 100, or kept silent long enough: the body follows (RFC 9110 §10.1.1).
  func continueBody() {
    flush()
  }

  private func bodyHasMore(for exchange: Exchange) {
    guard self.exchange === exchange, state == .open else { return }
    exchange.bodyIsLate = false
    flush()
  }

  private func stageHead(_ head: [UInt8]) {
    head.withUnsafeBytes { bytes in
      // Without a body there is nothing to share a system call with: spare the copy.
      if tls == nil, framing == nil, outgoing.isEmpty,
        case .bytes(let count) = Syscall.send(descriptor, bytes)
      {
        exchange?.sentAny()
        outgoing.append(UnsafeRawBufferPointer(rebasing: bytes[count...]))
      } else {
        outgoing.append(bytes)
      }
    }
  }

  /// Pieces of a body that are sent in a row. A peer that takes them as fast as they are made would keep the loop from
  /// everybody else, its own response included.
  private static var piecesPerTurn: Int { 16 }

  /// Sends what is staged and stages more, until the socket or the body source has to be waited for; a socket that is
  /// never full goes on behind everybody else's turn.
  func flush() {
    var turns = Self.piecesPerTurn
    while state != .closed {
      guard turns > 0 else { return flushLater() }
      turns -= 1
      if state == .open, !isRequestSent, hasRoom { stageBody() }
      guard state != .closed else { return }
      if let tls {
        guard encrypt(with: tls), drain(tls) else { return measureUpload() }
      } else {
        guard drainPlain() else { return measureUpload() }
      }
      guard state == .open, let exchange else { return }
      exchange.flushedBody()
      if isRequestSent { return }
      if framing == nil {
        isRequestSent = true
        return exchange.requestEnded()
      }
      // A source that has nothing now, or a server that has not said 100, leaves the loop here.
      if !exchange.mayStageBody || isBodyLate { return }
    }
  }

  /// What has not been given to the kernel yet.
  var unsentBytes: Int { outgoing.readable.count + (tls?.output.count ?? 0) }

  /// A little room in the socket is none for a whole piece: what is staged beyond what it takes would add up.
  private var hasRoom: Bool { unsentBytes < BodyFraming.pieceSize }

  private func measureUpload() {
    if state == .open { exchange?.measureUpload() }
  }

  private func flushLater() {
    guard !sendsLater else { return }
    sendsLater = true
    loop.enqueue { [connection = LoopConfined(self)] in
      connection.value.sendsLater = false
      connection.value.flush()
    }
  }

  private var isBodyLate: Bool { exchange?.bodyIsLate ?? false }

  /// Moves the next piece of the body behind what is waiting to be sent.
  private func stageBody() {
    guard let exchange, exchange.mayStageBody, var framing = self.framing else { return }
    exchange.bodyIsLate = false
    switch framing.stage(into: &outgoing) {
    case .staged(let count):
      self.framing = framing
      exchange.staged(count)
    case .later: exchange.bodyIsLate = true
    case .finished: self.framing = nil
    case .failed(let text): exchange.fail(.bodySource(text))
    }
  }

  private func encrypt(with tls: TLSEngine) -> Bool {
    guard state == .open, !outgoing.isEmpty else { return true }
    do throws(TLSError) {
      let bytes = outgoing.readable
      try tls.write(bytes)
      outgoing.sent(bytes.count)
      return true
    } catch {
      exchange?.fail(.tls(error))
      return false
    }
  }

  private func drain(_ tls: TLSEngine) -> Bool {
    while !tls.output.isEmpty {
      switch Syscall.send(descriptor, tls.output) {
      case .bytes(let count):
        tls.outputSent(count)
        if state == .open { exchange?.sentAny() }
      case .wouldBlock: return false
      case .endOfStream: return false
      case .failed(let error): return sendFailed(error)
      }
    }
    return true
  }

  private func drainPlain() -> Bool {
    while !outgoing.isEmpty {
      switch Syscall.send(descriptor, outgoing.readable) {
      case .bytes(let count):
        outgoing.sent(count)
        exchange?.sentAny()
      case .wouldBlock: return false
      case .endOfStream: return false
      case .failed(let error): return sendFailed(error)
      }
    }
    return true
  }

  /// A server may answer and close before it has read the whole request (RFC 9112 §9.5): what it
  /// said is still to be read, so a broken pipe is no failure while there may be a response.
  private func sendFailed(_ error: SystemError) -> Bool {
    isRequestSent = true
    framing = nil
    outgoing.reset()
    exchange?.sendingBroke(error)
    isReadable = true
    loop.enqueue { [connection = LoopConfined(self)] in connection.value.receive() }
    return false
  }
}
