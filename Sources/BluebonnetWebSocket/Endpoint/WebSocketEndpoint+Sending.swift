// SPDX-License-Identifier: MIT
import BluebonnetSemantics

// What goes to the peer.
extension WebSocketEndpoint {
  /// Answers to pings that may wait, in bytes. Beyond that only the last ping is answered, as §5.5.3 allows: a peer that pings
  /// and does not read must not fill the memory.
  private static var mostWaitingPongs: Int { 16 * 1024 }

  /// Writes a message, or its first fragment.
  ///
  /// - Parameters:
  ///   - kind: The kind of the bytes. Text is checked: anything but UTF-8 is refused, a character may go over two fragments.
  ///   - bytes: The message's bytes, or the fragment's.
  ///   - isLast: Whether that is all; true by default. Otherwise ``sendMore(_:isLast:)`` goes on.
  /// - Throws: ``WebSocketError/Rule/closed``, ``WebSocketError/Rule/interruptedMessage`` if the last message is not
  ///   complete, ``WebSocketError/Rule/invalidText``; nothing is sent then.
  public mutating func send(
    _ kind: WebSocketMessageKind, _ bytes: Span<UInt8>, isLast: Bool = true
  ) throws(WebSocketError) {
    switch sending {
    case .open: break
    case .inside: throw WebSocketError(.interruptedMessage, fault: .caller)
    case .closed: throw WebSocketError(.closed, fault: .caller)
    }
    outgoingText = TextCheck()
    try bytes.withUnsafeBytes { bytes throws(WebSocketError) in
      try write(
        kind == .text ? .text : .binary, bytes, of: kind,
        isCompressed: compresses(bytes.count, isLast: isLast),
        isLast: isLast)
    }
  }

  /// Writes the next fragment of the message that ``send(_:_:isLast:)`` began. Control frames may go between them.
  ///
  /// - Throws: ``WebSocketError/Rule/unexpectedContinuation`` if there is nothing to go on with,
  ///   ``WebSocketError/Rule/closed``, ``WebSocketError/Rule/invalidText``.
  public mutating func sendMore(_ bytes: Span<UInt8>, isLast: Bool) throws(WebSocketError) {
    switch sending {
    case .open: throw WebSocketError(.unexpectedContinuation, fault: .caller)
    case .closed: throw WebSocketError(.closed, fault: .caller)
    case .inside(let kind, let isCompressed):
      try bytes.withUnsafeBytes { bytes throws(WebSocketError) in
        try write(.continuation, bytes, of: kind, isCompressed: isCompressed, isLast: isLast)
      }
    }
  }

  /// Writes a ping (§5.5.2).
  ///
  /// - Parameter payload: What its pong brings back, of at most 125 bytes.
  /// - Throws: ``WebSocketError/Rule/controlTooLong``, ``WebSocketError/Rule/closed``.
  public mutating func ping(_ payload: [UInt8] = []) throws(WebSocketError) {
    guard payload.count <= FrameHeader.longestControl else {
      throw WebSocketError(.controlTooLong, fault: .caller)
    }
    if case .closed = sending { throw WebSocketError(.closed, fault: .caller) }
    writeControl(.ping, payload)
  }

  /// Writes a Close (§5.5.1), the last frame of this side. Nothing happens if there was one.
  ///
  /// - Parameters:
  ///   - code: Why, if that is to be said.
  ///   - reason: In words, UTF-8 of at most 123 bytes; needs a code.
  /// - Throws: ``WebSocketError/Rule/invalidClose`` for a code that must not be sent,
  ///   ``WebSocketError/Rule/controlTooLong``, ``WebSocketError/Rule/invalidText``.
  public mutating func close(_ code: WebSocketCloseCode?, reason: [UInt8] = []) throws(WebSocketError) {
    guard code?.isSendable ?? reason.isEmpty else { throw WebSocketError(.invalidClose, fault: .caller) }
    guard reason.count <= WebSocketClose.longestReason else {
      throw WebSocketError(.controlTooLong, fault: .caller)
    }
    guard Self.isText(reason) else { throw WebSocketError(.invalidText, fault: .caller) }
    sendClose(code, reason)
  }

  /// The number of bytes waiting to be sent.
  public var unsentBytes: Int { outgoing.count }

  /// Lends what waits to be sent.
  public func withOutgoing<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try outgoing.withBytes(body)
  }

  /// So many bytes of what waits have been sent.
  public mutating func sent(_ count: Int) {
    outgoing.sent(count)
    if outgoing.count == 0, let payload = latePong.take(), !isClosing { writeControl(.pong, payload) }
  }

  mutating func answer(_ payload: [UInt8]) {
    if case .closed = sending { return }
    guard outgoing.count < Self.mostWaitingPongs else {
      latePong = payload
      return
    }
    writeControl(.pong, payload)
  }

  mutating func sendClose(_ code: WebSocketCloseCode?, _ reason: [UInt8] = []) {
    if case .closed = sending { return }
    sending = .closed
    latePong = nil
    writeControl(.close, (code?.rawValue.bigEndianBytes ?? []) + reason)
  }

  private mutating func writeControl(_ opcode: Opcode, _ payload: [UInt8]) {
    let header = FrameHeader(opcode, length: payload.count, mask: nextMask())
    payload.withUnsafeBytes { outgoing.append(header, $0) }
  }

  private mutating func nextMask() -> UInt32? { role == .client ? masks.next() : nil }

  private func compresses(_ count: Int, isLast: Bool) -> Bool {
    // zlib has no window of 8 bits for compressing, and compression is never required.
    guard let deflate = agreement.deflate, deflate.ownWindowBits > 8 else { return false }
    return !isLast || count >= deflate.threshold
  }

  private mutating func write(
    _ opcode: Opcode, _ bytes: UnsafeRawBufferPointer, of kind: WebSocketMessageKind, isCompressed: Bool,
    isLast: Bool
  ) throws(WebSocketError) {
    if kind == .text {
      var text = outgoingText
      guard text.take(bytes), !isLast || text.isBetweenCharacters else {
        throw WebSocketError(.invalidText, fault: .caller)
      }
      outgoingText = text
    }
    if isCompressed {
      let compressed = try deflate(bytes, isLast: isLast)
      compressed.withUnsafeBytes { write(opcode, $0, isCompressed: true, isLast: isLast) }
    } else {
      write(opcode, bytes, isCompressed: false, isLast: isLast)
    }
    sending = isLast ? .open : .inside(kind, isCompressed: isCompressed)
  }

  private mutating func write(
    _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, isCompressed: Bool, isLast: Bool
  ) {
    var header = FrameHeader(opcode, length: payload.count, mask: nextMask())
    header.isFinal = isLast
    header.isCompressed = isCompressed && opcode != .continuation
    outgoing.append(header, payload)
  }

  private mutating func deflate(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool
  ) throws(WebSocketError) -> [UInt8] {
    if deflater == nil, let deflate = agreement.deflate {
      deflater = try MessageDeflater(windowBits: deflate.ownWindowBits, forgets: deflate.ownNoContextTakeover)
    }
    return deflater?.deflate(bytes, isLast: isLast) ?? []
  }
}
