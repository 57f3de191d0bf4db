// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc
import BluebonnetTLS

/// TLS over another channel, perhaps TLS itself.
///
///     handshake() until `.complete` ──▶ read, write ──▶ notifyOfClose(), flush() ──▶ close()
package final class TLSChannel: Channel {
  /// The progress of a handshake.
  package enum Handshake: Equatable, Sendable {
    case complete
    /// Call again when the owner is told.
    case later
    /// Call again when the engine knows what it proves itself with (`TLSEngine.prove(with:)`).
    case certificateRequested
    case failed(ChannelFault)
  }

  package let engine: TLSEngine
  let lower: any Channel
  package let layers: Int
  /// Something that was taken, or that answers a record of the peer's, could not be sent; told at the next flush.
  private var sendFault: ChannelFault?

  /// Bytes that the handshake has taken.
  private var handshakeInput = 0
  /// Bytes that a handshake may take: OpenSSL lets chains have 100 KiB, and passes over a HelloRequest (RFC 5246 §7.4.1.1) as often as
  /// it comes, while the loop does no other work.
  package static let handshakeLimit = 512 << 10

  /// - Parameter unread: The bytes received from the channel below before it was known to speak TLS.
  package init(_ engine: TLSEngine, over lower: any Channel, unread: [UInt8] = []) {
    self.engine = engine
    self.lower = lower
    layers = lower.layers + 1
    guard !unread.isEmpty else { return }
    unread.withUnsafeBytes { bytes in
      engine.feed(bytes)
      engine.keepUnreadInput()
    }
  }

  package var loop: EventLoop { lower.loop }

  package var owner: (any ChannelOwner)? {
    get { lower.owner }
    set { lower.owner = newValue }
  }
}

// MARK: - Handshake

extension TLSChannel {
  /// Takes the handshake as far as the bytes at hand allow. A client's first call sends its first flight.
  package func handshake() -> Handshake {
    if let outcome = advanceHandshake() { return outcome }
    while true {
      var outcome: Handshake?
      switch receive(then: { outcome = advanceHandshake() }) {
      case .bytes(let count):
        if let outcome { return outcome }
        handshakeInput += count
        guard handshakeInput <= Self.handshakeLimit else { return .failed(.tls(.endlessHandshake)) }
      case .later: return sendFault.map { .failed($0) } ?? .later
      case .failed(let fault): return .failed(sendFault ?? fault)
      case .end:
        engine.endOfInput()
        // Nothing more will come to take it further.
        return advanceHandshake() ?? .failed(sendFault ?? .tls(.closedInHandshake))
      }
    }
  }

  /// - Returns: Nil if more input is needed.
  private func advanceHandshake() -> Handshake? {
    do throws(TLSError) {
      let step = try engine.handshake()
      sendAnswers()
      switch step {
      case .handshakeComplete: return .complete
      case .needsInput: return nil
      case .certificateRequested: return .certificateRequested
      case .closed, .bytes: return .failed(.tls(.closedInHandshake))
      }
    } catch {
      // The alert that says why is worth sending; the connection is lost either way.
      sendAnswers()
      return .failed(error.isTruncation ? sendFault ?? .tls(.closedInHandshake) : .tls(error))
    }
  }

  /// Sends what the engine has made of what it was fed. That it could not be sent is told later: what the peer said before
  /// it went away is still to be read.
  private func sendAnswers() {
    guard !engine.output.isEmpty, case .failed(let fault) = flush() else { return }
    sendFault = fault
  }
}

// MARK: - Reading

extension TLSChannel {
  package var mayRead: Bool { lower.mayRead || engine.hasUnreadInput }
  package var hasHungUp: Bool { lower.hasHungUp }
  package var hasUnread: Bool { engine.hasUnreadInput || lower.hasUnread }
  package var isQuiet: Bool { !engine.hasUnreadInput && lower.isQuiet }

  package func setReceiveLowWater(_ count: Int) { lower.setReceiveLowWater(count) }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> ChannelReading {
    if engine.hasUnreadInput {
      let reading = decrypt(into: buffer)
      if reading != .bytes(0) { return reading }
    }
    var reading = ChannelReading.bytes(0)
    let below = receive(then: { reading = decrypt(into: buffer) })
    switch below {
    case .bytes: return reading
    case .later, .failed: return below
    case .end: return end(into: buffer)
    }
  }

  private func decrypt(into buffer: UnsafeMutableRawBufferPointer) -> ChannelReading {
    do throws(TLSError) {
      let step = try engine.read(into: buffer)
      // Some records are answered at once: a HelloRequest is refused (RFC 5246 §7.2.2).
      if !engine.output.isEmpty { try answer() }
      switch step {
      case .bytes(let count): return .bytes(count)
      case .closed: return .end
      case .needsInput, .handshakeComplete, .certificateRequested: return .bytes(0)
      }
    } catch {
      // The alert that says why.
      sendAnswers()
      return .failed(.tls(error))
    }
  }

  /// The most bytes of answers that wait for a peer that asks without reading. The bytes written at once are less by far.
  private static var answerLimit: Int { 1 << 20 }

  private func answer() throws(TLSError) {
    sendAnswers()
    guard engine.output.count > Self.answerLimit else { return }
    throw TLSError(.protocolViolation, reason: "the peer asks for more than it reads")
  }

  /// The channel below has ended: an end of this one only after close_notify.
  private func end(into buffer: UnsafeMutableRawBufferPointer) -> ChannelReading {
    // Between records nothing of TLS's is cut short, and OpenSSL would spoil the session over the missing close_notify.
    guard engine.hasUnreadInput else {
      return .failed(.tls(TLSError(.truncated, reason: "the peer closed without close_notify")))
    }
    engine.endOfInput()
    return decrypt(into: buffer)
  }

  /// Receives once from the channel below, and lends what came to the engine for as long as `use` runs.
  private func receive(then use: () -> Void) -> ChannelReading {
    // The loop's buffer is lent once at a time, and the channel below may be about to borrow it for itself.
    if lower.layers == 0 { return loop.withReceiveBuffer { receive(into: $0, then: use) } }
    return withUnsafeTemporaryAllocation(byteCount: Self.innerBuffer, alignment: 16) {
      receive(into: $0, then: use)
    }
  }

  /// Two full records.
  private static var innerBuffer: Int { 32_768 }

  private func receive(into buffer: UnsafeMutableRawBufferPointer, then use: () -> Void) -> ChannelReading {
    let below = lower.read(into: buffer)
    guard case .bytes(let count) = below, count > 0 else { return below }
    engine.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    use()
    // Unused input outlives the buffer.
    engine.keepUnreadInput()
    return below
  }
}

// MARK: - Writing

extension TLSChannel {
  /// The most plaintext that a record carries (RFC 8446 §5.1).
  private static var recordSize: Int { 16_384 }

  package func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWriting {
    encrypt { () throws(TLSError) in
      try engine.write(bytes)
      return bytes.count
    }
  }

  package func write(_ pieces: UnsafeMutableBufferPointer<iovec>) -> ChannelWriting {
    encrypt { () throws(TLSError) in
      try withUnsafeTemporaryAllocation(byteCount: Self.recordSize, alignment: 16) {
        (scratch) throws(TLSError) in try encrypt(pieces, by: scratch)
      }
    }
  }

  private func encrypt(_ body: () throws(TLSError) -> Int) -> ChannelWriting {
    // Bytes taken before come first, and there is no end to the bytes that could be taken.
    switch flush() {
    case .later: return .later
    case .failed(let fault): return .failed(fault)
    case .done: break
    }
    do throws(TLSError) {
      let count = try body()
      let made = engine.output.count
      if case .failed(let fault) = flush() {
        // Once and for all: what lies here must not go out after all.
        sendFault = fault
        // If nothing has left, nothing was taken: the caller may send it elsewhere.
        if engine.output.count == made { return .failed(fault) }
      }
      return .bytes(count)
    } catch {
      return .failed(.tls(error))
    }
  }

  /// Fills records: what does not fill one by itself is put beside what comes before or behind it. The rest is encrypted
  /// from where it lies.
  private func encrypt(
    _ pieces: UnsafeMutableBufferPointer<iovec>, by scratch: UnsafeMutableRawBufferPointer
  ) throws(TLSError) -> Int {
    var total = 0
    // Bytes in the scratch record.
    var filled = 0
    for (index, piece) in pieces.enumerated() {
      var rest = UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len)
      total += rest.count
      if filled > 0 {
        let count = min(rest.count, Self.recordSize - filled)
        scratch[filled...].copy(from: rest[..<count])
        filled += count
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        if filled < Self.recordSize { continue }
        try engine.write(UnsafeRawBufferPointer(scratch))
        filled = 0
      }
      let isLast = index == pieces.count - 1
      let whole = isLast ? rest.count : rest.count / Self.recordSize * Self.recordSize
      try engine.write(UnsafeRawBufferPointer(rebasing: rest[..<whole]))
      filled = rest.count - whole
      scratch[...].copy(from: rest[whole...])
    }
    try engine.write(UnsafeRawBufferPointer(rebasing: scratch[..<filled]))
    return total
  }

  package func flush() -> ChannelFlush {
    if let sendFault { return .failed(sendFault) }
    while !engine.output.isEmpty {
      switch lower.write(engine.output) {
      case .bytes(let count): engine.outputSent(count)
      case .later: return .later
      case .failed(let fault): return .failed(fault)
      }
    }
    return layers == 1 ? .done : lower.flush()
  }

  package var unsentBytes: Int { engine.output.count + lower.unsentBytes }
  package var unacknowledgedBytes: Int? { lower.unacknowledgedBytes.map { $0 + engine.output.count } }
}

extension Slice<UnsafeMutableRawBufferPointer> {
  fileprivate func copy(from bytes: Slice<UnsafeRawBufferPointer>) {
    UnsafeMutableRawBufferPointer(rebasing: self).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
  }
}

// MARK: - Ending

extension TLSChannel {
  /// RFC 8446 §6.1: close_notify, of the innermost first.
  package func notifyOfClose() {
    engine.shutdown()
    if layers > 1, flush() == .done { lower.notifyOfClose() }
  }

  package func endSending() { lower.endSending() }
  package func resetOnClose() { lower.resetOnClose() }
  package func close() { lower.close() }
}
