// SPDX-License-Identifier: MIT
extension HTTP1Exchange {
  /// The bytes waiting to be sent: a part of the head, and a piece of the body within its framing. Head and piece stay in the
  /// caller's memory, so that a kernel can take all of it at once (`writev`) without a copy.
  public struct Outgoing: Sendable {
    // What callers ask for every request is inlinable: a call would copy all of this.
    @usableFromInline var headStart = 0
    @usableFromInline var headEnd = 0
    @usableFromInline var prefix = ChunkFraming()
    @usableFromInline var pieceStart = 0
    @usableFromInline var pieceEnd = 0
    @usableFromInline var suffix = ChunkFraming()

    init() {}

    /// The part of the head not sent yet.
    @inlinable
    public var head: Range<Int> { headStart..<headEnd }

    /// The part of the piece lent last that is not sent yet.
    @inlinable
    public var piece: Range<Int> { pieceStart..<pieceEnd }

    /// The number of bytes.
    public var count: Int { headEnd &- headStart &+ prefix.count &+ pieceEnd &- pieceStart &+ suffix.count }

    /// Whether there is nothing to send.
    @inlinable
    public var isEmpty: Bool { headStart == headEnd && !holdsPiece }

    /// Whether nothing but head is to be sent.
    @inlinable
    public var isHeadAlone: Bool { headStart < headEnd && !holdsPiece }

    /// Lends the bytes in the order in which they go out: head, framing, piece, framing. Each may be empty.
    ///
    /// - Parameters:
    ///   - head: The whole head, as long as it was said to be.
    ///   - piece: The whole piece that was lent last. Default: none.
    ///   - body: What takes them, during the call only.
    public func withSegments<R, E: Error>(
      head: Span<UInt8>, piece: Span<UInt8> = Span(),
      _ body: (Span<UInt8>, Span<UInt8>, Span<UInt8>, Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
      // Once sent, it does not have to be there.
      let rest = pieceStart < pieceEnd ? piece.extracting(pieceStart...) : Span()
      return try withSegments(head: head, rest: rest, body)
    }

    /// The same where the caller's memory moves on with the bytes sent.
    ///
    /// - Parameters:
    ///   - head: The whole head, as long as it was said to be.
    ///   - rest: Begins with the unsent part of the piece that was lent last; the bytes behind it are not looked at.
    ///   - body: Takes them, during the call only.
    public func withSegments<R, E: Error>(
      head: Span<UInt8>, rest: Span<UInt8>,
      _ body: (Span<UInt8>, Span<UInt8>, Span<UInt8>, Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
      let head = headStart < headEnd ? head.extracting(headStart..<headEnd) : Span()
      let piece = rest.extracting(first: pieceEnd &- pieceStart)
      return try prefix.withBytes { (prefix) throws(E) in
        try suffix.withBytes { (suffix) throws(E) in try body(head, prefix, piece, suffix) }
      }
    }

    /// Lends the first of the segments that ``withSegments(head:piece:_:)`` would lend and that is not empty; nothing if
    /// there is nothing to send.
    ///
    /// - Parameters:
    ///   - head: The whole head, as long as it was said to be.
    ///   - piece: The whole piece that was lent last. Default: none.
    ///   - body: What takes it, during the call only.
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
    @inlinable
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

    /// Drops bytes at the front.
    ///
    /// - Returns: how many of them were of the piece; nil, and nothing is dropped, if there are not as many.
    @inline(__always)
    mutating func remove(_ count: Int) -> Int? {
      if count >= 0, count <= headEnd &- headStart {
        headStart &+= count
        return 0
      }
      return removeBeyondHead(count)
    }

    @inline(never)
    private mutating func removeBeyondHead(_ count: Int) -> Int? {
      guard count >= 0, count <= self.count else { return nil }
      var rest = count &- (headEnd &- headStart)
      headStart = headEnd
      rest &-= prefix.remove(rest)
      let ofPiece = min(rest, pieceEnd &- pieceStart)
      pieceStart &+= ofPiece
      _ = suffix.remove(rest &- ofPiece)
      return ofPiece
    }
  }
}

/// The few bytes before or behind a chunk's data, kept inline.
@usableFromInline
struct ChunkFraming: Sendable {
  /// A size of 63 bits and its line end take eighteen.
  private var bytes = InlineArray<18, UInt8>(repeating: 0)
  @usableFromInline var start = 0
  @usableFromInline var end = 0

  init() {}

  @inlinable
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
