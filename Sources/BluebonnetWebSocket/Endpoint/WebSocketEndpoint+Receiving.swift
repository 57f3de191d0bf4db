// SPDX-License-Identifier: MIT

// What comes from the peer.
extension WebSocketEndpoint {
  /// Takes the next bytes.
  ///
  /// - Parameters:
  ///   - input: The bytes received.
  ///   - consumed: The number of bytes taken; moved on by this call. The rest is offered again.
  /// - Throws: The peer's fault; the same again when it is called again. A Close that says so waits to be sent.
  public mutating func receive(
    in input: Span<UInt8>, consumed: inout Int
  ) throws(WebSocketError) -> Action {
    switch receiving {
    case .failed(let error): throw error
    case .closed:
      consumed = input.count
      return .end
    case .open: break
    }
    do throws(WebSocketError) {
      return try input.withUnsafeBytes { bytes throws(WebSocketError) in try step(bytes, &consumed) }
    } catch {
      fail(error)
      throw error
    }
  }

  /// The stream has ended.
  ///
  /// - Throws: ``WebSocketError/Rule/truncated`` if the peer has not closed before (§7.1.5), or the error thrown before.
  public mutating func peerEnded() throws(WebSocketError) {
    switch receiving {
    case .closed: return
    case .failed(let error): throw error
    case .open:
      let error = WebSocketError(.truncated)
      receiving = .failed(error)
      // There is no peer to be told.
      sending = .closed
      throw error
    }
  }

  /// Lends the message that was told last. It is empty after more was received, or after it was taken.
  public func withMessage<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(message.span)
  }

  /// Hands over the message that was told last.
  public mutating func takeMessage() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &message)
    return taken
  }

  private mutating func step(
    _ bytes: UnsafeRawBufferPointer, _ consumed: inout Int
  ) throws(WebSocketError) -> Action {
    if !message.isEmpty {
      message.removeAll(keepingCapacity: message.capacity <= IncomingMessage.keptCapacity)
    }
    while true {
      if frame == nil {
        guard let header = try header(bytes, &consumed) else { return .needsMore }
        try begin(header)
      }
      let piece = UnsafeRawBufferPointer(rebasing: bytes[consumed...].prefix(remaining))
      consumed += piece.count
      remaining -= piece.count
      if !piece.isEmpty { try take(piece) }
      guard remaining == 0 else { return .needsMore }
      if let action = try endFrame() { return action }
    }
  }

  /// The next header once all of it is there. Its first two bytes tell how long it is.
  private mutating func header(
    _ bytes: UnsafeRawBufferPointer, _ consumed: inout Int
  ) throws(WebSocketError) -> FrameHeader? {
    let available = bytes.count - consumed
    if headerCount == 0, available >= 2 {
      let size = FrameHeader.size(bytes[consumed + 1])
      if available >= size {
        defer { consumed += size }
        return try FrameHeader(UnsafeRawBufferPointer(rebasing: bytes[consumed..<(consumed + size)]))
      }
    }
    while consumed < bytes.count {
      headerBytes[headerCount] = bytes[consumed]
      headerCount += 1
      consumed += 1
      guard headerCount >= 2, headerCount == FrameHeader.size(headerBytes[1]) else { continue }
      headerCount = 0
      return try withUnsafeBytes(of: &headerBytes) { header throws(WebSocketError) in try FrameHeader(header)
      }
    }
    return nil
  }

  /// Acts on a header at its place.
  private mutating func begin(_ header: FrameHeader) throws(WebSocketError) {
    switch (role, header.mask) {
    case (.client, .some): throw WebSocketError(.maskedFrame)
    case (.server, nil): throw WebSocketError(.unmaskedFrame)
    default: unmask = header.mask.map { Mask($0) }
    }
    if !header.opcode.isControl { try beginData(header) }
    frame = header
    remaining = header.length
  }

  private mutating func beginData(_ header: FrameHeader) throws(WebSocketError) {
    if let most = limits.frameBytes, header.length > most { throw WebSocketError(.frameTooLong) }
    if header.opcode == .continuation {
      guard incoming != nil else { throw WebSocketError(.unexpectedContinuation) }
      // The first fragment speaks for the whole message (RFC 7692 §6.1).
      guard !header.isCompressed else { throw WebSocketError(.reservedBit) }
    } else {
      guard incoming == nil else { throw WebSocketError(.interruptedMessage) }
      guard !header.isCompressed || agreement.deflate != nil else { throw WebSocketError(.reservedBit) }
      incoming = IncomingMessage(
        header.opcode == .text ? .text : .binary, isCompressed: header.isCompressed, into: takeMessage())
    }
    guard incoming?.isCompressed == false, let count = incoming?.bytes.count else { return }
    // At once, before anything of it is kept.
    guard header.length <= limits.messageBytes - count else { throw WebSocketError(.messageTooLong) }
    incoming?.prepare(for: header.length)
  }

  private mutating func take(_ piece: UnsafeRawBufferPointer) throws(WebSocketError) {
    if frame?.opcode.isControl == true {
      let start = control.count
      control.append(contentsOf: piece)
      unmask.unmask(&control, from: start)
    } else if incoming?.isCompressed == true {
      guard unmask != nil else { return try inflate(piece) }
      var plain = Array(piece)
      unmask.unmask(&plain, from: 0)
      try plain.span.withUnsafeBytes { bytes throws(WebSocketError) in try inflate(bytes) }
    } else {
      try incoming?.append(piece, unmasking: &unmask, limit: limits.messageBytes)
    }
  }

  /// - Parameter piece: Nil at the end of the message.
  private mutating func inflate(_ piece: UnsafeRawBufferPointer?) throws(WebSocketError) {
    guard let deflate = agreement.deflate, var message = incoming.take() else { return }
    defer { incoming = message }
    if inflater == nil {
      inflater = try MessageInflater(forgets: deflate.peerNoContextTakeover)
    }
    let limit = limits.messageBytes
    var unmasked: Mask?
    func sink(_ bytes: UnsafeRawBufferPointer) throws(WebSocketError) {
      try message.append(bytes, unmasking: &unmasked, limit: limit)
    }
    if let piece { try inflater?.inflate(piece, sink) } else { try inflater?.finish() }
  }

  private mutating func endFrame() throws(WebSocketError) -> Action? {
    guard let ended = frame.take() else { return nil }
    switch ended.opcode {
    case .ping:
      let payload = takeControl()
      answer(payload)
      return .ping(payload)
    case .pong: return .pong(takeControl())
    case .close: return .close(try receivedClose(takeControl()))
    case .text, .binary, .continuation: break
    }
    guard ended.isFinal else { return nil }
    if incoming?.isCompressed == true { try inflate(nil) }
    guard let whole = incoming.take() else { return nil }
    try whole.end()
    message = whole.bytes
    return .message(whole.kind)
  }

  private mutating func takeControl() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &control)
    return taken
  }

  /// §5.5.1, §7.4.
  private mutating func receivedClose(_ payload: [UInt8]) throws(WebSocketError) -> WebSocketClose {
    var close = WebSocketClose(.noStatusReceived)
    if !payload.isEmpty {
      guard payload.count >= 2 else { throw WebSocketError(.invalidClose) }
      close = WebSocketClose(
        WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1])),
        reason: Array(payload[2...]))
      guard close.code.isSendable else { throw WebSocketError(.invalidClose) }
      guard Self.isText(close.reason) else { throw WebSocketError(.invalidText) }
    }
    receiving = .closed(close)
    // Its code is the answer (§5.5.1).
    sendClose(close.code.isSendable ? close.code : nil)
    return close
  }

  static func isText(_ bytes: [UInt8]) -> Bool {
    var check = TextCheck()
    return bytes.withUnsafeBytes { check.take($0) } && check.isBetweenCharacters
  }

  /// §7.1.7: the peer is told why, and nothing of it is looked at any more.
  private mutating func fail(_ error: WebSocketError) {
    receiving = .failed(error)
    incoming = nil
    control = []
    message = []
    sendClose(error.rule.closeCode)
  }
}
