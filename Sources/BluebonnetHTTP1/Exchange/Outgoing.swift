extension HTTP1Exchange {
  /// What waits to be sent: a part of the head, and a piece of the body within its framing. Head and piece stay in the
  /// caller's memory, so that a kernel can take all of it at once (`writev`) without a copy.
  public struct Outgoing: Sendable {
    private var headStart = 0
    private var headEnd = 0
    private var prefix = ChunkFraming()
    private var pieceStart = 0
    private var pieceEnd = 0
    private var suffix = ChunkFraming()

    /// How much of the head has not been sent yet.
    @inline(__always)
    public var head: Range<Int> { headStart..<headEnd }

    /// How much of the piece that was lent last has not been sent yet.
    public var piece: Range<Int> { pieceStart..<pieceEnd }

    /// How many bytes there are.
    public var count: Int { headEnd &- headStart &+ prefix.count &+ pieceEnd &- pieceStart &+ suffix.count }

    /// Whether there is nothing to send.
    @inline(__always)
    public var isEmpty: Bool { headStart == headEnd && !holdsPiece }

    /// Lends the bytes in the order in which they go out: head, framing, piece, framing. Each may be empty.
    ///
    /// - Parameters:
    ///   - head: The whole head, as long as it was said to be.
    ///   - piece: The whole piece that was lent last. Default: none.
    public func withSegments<R, E: Error>(
      head: Span<UInt8>, piece: Span<UInt8> = Span(),
      _ body: (Span<UInt8>, Span<UInt8>, Span<UInt8>, Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
      // Once sent, neither has to be there.
      let head = headStart < headEnd ? head.extracting(headStart..<headEnd) : Span()
      let piece = pieceStart < pieceEnd ? piece.extracting(pieceStart..<pieceEnd) : Span()
      return try prefix.withBytes { (prefix) throws(E) in
        try suffix.withBytes { (suffix) throws(E) in try body(head, prefix, piece, suffix) }
      }
    }

    /// Lends the first of the segments that ``withSegments(head:piece:_:)`` would lend and that is not empty; nothing if
    /// there is nothing to send.
    public func withFirstSegment<R, E: Error>(
      head: Span<UInt8>, piece: Span<UInt8> = Span(), _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
      try withSegments(head: head, piece: piece) { (head, prefix, piece, suffix) throws(E) in
        if !head.isEmpty { return try body(head) }
        if !prefix.isEmpty { return try body(prefix) }
        return try body(piece.isEmpty ? suffix : piece)
      }
    }

    /// Whether a piece, or its framing, has not been sent whole.
    @inline(__always)
    var holdsPiece: Bool { pieceStart < pieceEnd || !suffix.isEmpty || !prefix.isEmpty }

    @inline(__always)
    mutating func begin(headBytes: Int) {
      headStart = 0
      headEnd = headBytes
    }

    mutating func lend(_ count: Int) {
      pieceStart = 0
      pieceEnd = count
    }

    /// A chunk (RFC 9112 §7.1), the last one, or both. At most ten bytes surround a chunk of up to 16 MB.
    mutating func lendChunk(_ count: Int, isLast: Bool) {
      lend(count)
      if count > 0 { prefix.setSizeLine(count) }
      suffix.set(count == 0 ? "0\r\n\r\n" : isLast ? "\r\n0\r\n\r\n" : "\r\n")
    }

    mutating func removeAll() {
      self = Outgoing()
    }

    /// Drops bytes at the front. False, and nothing dropped, if there are not as many.
    @inline(__always)
    mutating func remove(_ count: Int) -> Bool {
      let left = headEnd &- headStart
      if count >= 0, count <= left {
        headStart &+= count
        return true
      }
      return removeBeyondHead(count)
    }

    @inline(never)
    private mutating func removeBeyondHead(_ count: Int) -> Bool {
      guard count >= 0, count <= self.count else { return false }
      var rest = count &- (headEnd &- headStart)
      headStart = headEnd
      rest &-= prefix.remove(rest)
      let fromPiece = min(rest, pieceEnd &- pieceStart)
      pieceStart &+= fromPiece
      rest &-= fromPiece
      _ = suffix.remove(rest)
      return true
    }
  }
}

/// The few bytes before or behind a chunk's data, kept inline.
struct ChunkFraming: Sendable {
  /// A size of 63 bits and its line end take eighteen.
  private var bytes = InlineArray<18, UInt8>(repeating: 0)
  private var start = 0
  private var end = 0

  @inline(__always)
  var isEmpty: Bool { start == end }

  @inline(__always)
  var count: Int { end &- start }

  func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(bytes.span.extracting(start..<end))
  }

  /// `text` fits.
  mutating func set(_ text: StaticString) {
    start = 0
    end = 0
    text.withUTF8Buffer { for byte in $0 { append(byte) } }
  }

  mutating func setSizeLine(_ size: Int) {
    start = 0
    end = 0
    var shift = (Int.bitWidth - size.leadingZeroBitCount - 1) & ~3
    while shift >= 0 {
      append(ChunkedEncoder.digit(size >> shift))
      shift -= 4
    }
    append(Byte.cr)
    append(Byte.lf)
  }

  /// Drops up to `count` bytes at the front, and returns how many.
  mutating func remove(_ count: Int) -> Int {
    let removed = min(count, self.count)
    start &+= removed
    return removed
  }

  private mutating func append(_ byte: UInt8) {
    bytes[end] = byte
    end &+= 1
  }
}
