// SPDX-License-Identifier: MIT
extension ChunkedDecoder {
  /// `origin` is the stream offset of `base[0]`.
  @inline(__always)
  mutating func step(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int, _ origin: Int
  ) throws(HTTP1Error) -> Event {
    while true {
      switch state {
      case .size:
        if readSizeLine(base, count, &consumed, origin) { continue }
        guard try readSize(base, count, &consumed, origin) else { return .needsMore }
      case .extensions:
        guard try readExtensions(base, count, &consumed, origin) else { return .needsMore }
      case .sizeLineEnd:
        guard consumed < count else { return .needsMore }
        try endSizeLine(base, &consumed, origin)
      case .data:
        let available = UInt64(truncatingIfNeeded: count &- consumed)
        guard available > 0 else { return .needsMore }
        let taken = min(available, remaining)
        let range = consumed..<(consumed &+ Int(truncatingIfNeeded: taken))
        remaining &-= taken
        consumed = range.upperBound
        if remaining == 0 { state = .dataEndCR }
        return .body(range)
      case .dataEndCR:
        guard consumed < count else { return .needsMore }
        if base[consumed] == Byte.cr {
          consumed &+= 1
        } else if base[consumed] != Byte.lf || !forgivesBareLF() {
          throw HTTP1Error(.missingChunkEnd, offset: origin &+ consumed)
        }
        state = .dataEndLF
        fallthrough
      case .dataEndLF:
        guard consumed < count else { return .needsMore }
        guard base[consumed] == Byte.lf else {
          throw HTTP1Error(.missingChunkEnd, offset: origin &+ consumed)
        }
        consumed &+= 1
        state = .size
      case .trailers:
        guard consumed < count, try trailerReader.readOn(base + consumed, count &- consumed) else {
          return .needsMore
        }
        consumed &+= trailerReader.position
        state = .end
      case .end:
        return .end
      }
    }
  }

  /// A line of nothing but a size that has arrived as a whole, as nearly every one does. False, with nothing
  /// changed, if it is anything else.
  @inline(__always)
  private mutating func readSizeLine(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int, _ origin: Int
  ) -> Bool {
    // Eight digits, and the line end behind them.
    guard sizeDigits == 0, count &- consumed >= 10 else { return false }
    var size: UInt64 = 0
    var index = consumed
    while index < consumed &+ 8 {
      let digit = Byte.hexadecimal(base[index])
      guard digit < 16 else { break }
      size = size &<< 4 | UInt64(digit)
      index &+= 1
    }
    let digits = index &- consumed
    guard digits > 0, digits <= limits.chunkExtensionBytes, base[index] == Byte.cr,
      base[index &+ 1] == Byte.lf
    else { return false }
    remaining = size
    consumed = index &+ 2
    // Such a line is shorter than the free room: it only makes more.
    if _slowPath(overhead > 0) { _ = account(digits) }
    beginData(origin &+ consumed)
    return true
  }

  /// `1*HEXDIG`. Any number of leading zeros is grammatical; their number is bounded like an extension's.
  @inline(__always)
  private mutating func readSize(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int, _ origin: Int
  ) throws(HTTP1Error) -> Bool {
    while consumed < count {
      let byte = base[consumed]
      let digit = Byte.hexadecimal(byte)
      if digit < 16 {
        if remaining >> 60 != 0 { throw HTTP1Error(.chunkSizeOverflow, offset: origin &+ consumed) }
        remaining = remaining << 4 | UInt64(digit)
        sizeDigits &+= 1
        if sizeDigits > limits.chunkExtensionBytes {
          throw HTTP1Error(.chunkExtensionTooLong, offset: origin &+ consumed)
        }
        consumed &+= 1
        continue
      }
      guard sizeDigits > 0 else { throw HTTP1Error(.invalidChunkSize, offset: origin &+ consumed) }
      switch byte {
      case Byte.cr:
        consumed &+= 1
        state = .sizeLineEnd
      case Byte.semicolon, Byte.space, Byte.tab:
        // Whitespace is allowed before a semicolon (RFC 9112 §7.1.1), and some servers pad sizes with it.
        extensionBytes = 0
        extensionState = .start
        state = .extensions
      case Byte.lf:
        guard forgivesBareLF() else { throw HTTP1Error(.bareLF, offset: origin &+ consumed) }
        state = .sizeLineEnd
      default:
        throw HTTP1Error(.invalidChunkSize, offset: origin &+ consumed)
      }
      return true
    }
    return false
  }

  /// The LF behind a size and its extensions.
  private mutating func endSizeLine(
    _ base: UnsafePointer<UInt8>, _ consumed: inout Int, _ origin: Int
  ) throws(HTTP1Error) {
    guard base[consumed] == Byte.lf else { throw HTTP1Error(.bareCR, offset: origin &+ consumed) }
    guard account(sizeDigits &+ extensionBytes) else {
      throw HTTP1Error(.tooMuchChunkOverhead, offset: origin &+ consumed)
    }
    extensionBytes = 0
    consumed &+= 1
    beginData(origin &+ consumed)
  }

  private mutating func readExtensions(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int, _ origin: Int
  ) throws(HTTP1Error) -> Bool {
    while consumed < count {
      let byte = base[consumed]
      if byte == Byte.cr || byte == Byte.lf && forgivesBareLF() {
        guard extensionState.mayEnd || mode == .lenient else {
          throw HTTP1Error(.invalidChunkExtension, offset: origin &+ consumed)
        }
        if byte == Byte.cr { consumed &+= 1 }
        state = .sizeLineEnd
        return true
      }
      guard extensionBytes < limits.chunkExtensionBytes else {
        throw HTTP1Error(.chunkExtensionTooLong, offset: origin &+ consumed)
      }
      if byte == Byte.lf { throw HTTP1Error(.bareLF, offset: origin &+ consumed) }
      let isAllowed = mode == .lenient ? !Byte.isForbiddenInValue(byte) : extensionState.take(byte)
      guard isAllowed else { throw HTTP1Error(.invalidChunkExtension, offset: origin &+ consumed) }
      extensionBytes &+= 1
      consumed &+= 1
    }
    return false
  }

  /// Whether the line may end without CR; noted as a repair. Section 2.2 of RFC 9112 allows it for fields only: behind a
  /// chunk only an observer may read on so.
  @inline(never)
  private mutating func forgivesBareLF() -> Bool {
    guard mode == .lenient else { return false }
    lineRepairs.insert(.bareLF)
    return true
  }

  /// Counts a line of so many bytes, without its end, in front of `remaining` data bytes; false if that makes too much
  /// overhead.
  @inline(never)
  private mutating func account(_ lineBytes: Int) -> Bool {
    let bytes = lineBytes &+ 4
    // Nothing is gained by counting further than any limit reaches.
    let free = 16 &+ 2 &* Int(truncatingIfNeeded: min(remaining, 1 << 48))
    overhead = max(0, overhead &+ bytes &- free)
    return overhead <= limits.chunkOverheadBytes
  }

  @inline(__always)
  private mutating func beginData(_ offset: Int) {
    sizeDigits = 0
    if remaining > 0 {
      state = .data
    } else {
      state = .trailers
      trailerReader.reset(origin: offset)
    }
  }
}
