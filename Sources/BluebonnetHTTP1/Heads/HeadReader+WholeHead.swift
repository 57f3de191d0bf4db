extension HeadReader {
  /// Reads what is left of a head that has arrived as a whole and needs no judgement, which is nearly every one, in
  /// one pass from `scanStart`. Returns false, having changed nothing, if there is anything else about it; the
  /// resumable reader then goes on from where it was and finds out what. Everything accepted here is accepted there,
  /// with the same result.
  ///
  /// It looks at 64 bytes at a time for those that are not printable. In a head these are the line ends; they alone
  /// are visited, and each line's name is looked up while it is at hand.
  @inline(__always)
  mutating func readWhole<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ end: Int, from scanStart: Int, with lanes: L.Type
  ) -> Bool {
    // Blocks overlap at the end of the input, but must not reach before it; names are looked up with the eight bytes
    // before them, which a start line always provides.
    guard end >= 64, scanStart >= 8 else { return false }
    let storage = block.reserve(fields: 1, bytes: 0)
    let ranges = storage.ranges
    let fieldLimit = min(storage.fieldCapacity, limits.fieldCount)
    let lineLimit = min(limits.lineBytes, Int(UInt16.max))
    var isReason = section == .response
    var contentLength = ContentLength()
    var options = ConnectionOptions()
    var reasonEnd = scanStart
    var present: UInt64 = 0
    var count = 0
    var start = isReason ? 0 : scanStart
    var blockStart = scanStart
    var next = scanStart
    var bits: UInt64 = 0
    while true {
      while bits == 0 {
        guard next < end else { return false }
        blockStart = next
        next = min(next &+ 64, end)
        bits = lanes.unusual(base + (next &- 64)) &>> UInt64(truncatingIfNeeded: 64 &- (next &- blockStart))
      }
      let position = blockStart &+ bits.trailingZeroBitCount
      bits &= bits &- 1
      guard position &+ 1 < end else { return false }
      guard base[position] == Byte.cr, base[position &+ 1] == Byte.lf else {
        if base[position] == Byte.tab || base[position] >= 0x80 { continue }
        return false
      }
      // The line feed is the next bit, or the first one of a block that need not be looked at.
      if position &+ 1 == next { next &+= 1 } else { bits &= bits &- 1 }
      guard position &- start <= lineLimit else { return false }
      if position == start { break }
      if isReason {
        isReason = false
        reasonEnd = position
        start = position &+ 2
        continue
      }
      guard count < fieldLimit else { return false }
      var known = FieldRange.unknown
      let length = Self.nameLength(base, start, position, end, &known, with: lanes)
      guard length > 0 else { return false }
      var valueStart = start &+ length &+ 1
      while valueStart < position, Byte.isWhitespace(base[valueStart]) { valueStart &+= 1 }
      var valueEnd = position
      while valueEnd > valueStart, Byte.isWhitespace(base[valueEnd &- 1]) { valueEnd &-= 1 }
      (ranges + count).initialize(
        to: FieldRange(
          nameStart: UInt32(truncatingIfNeeded: start), valueStart: UInt32(truncatingIfNeeded: valueStart),
          valueEnd: UInt32(truncatingIfNeeded: valueEnd), nameLength: UInt16(truncatingIfNeeded: length),
          known: known))
      count &+= 1
      present |= 1 &<< UInt64(known)
      switch known {
      case KnownField.contentLength.rawValue:
        if contentLength.take(base, valueStart..<valueEnd) != nil { return false }
      case KnownField.connection.rawValue:
        options.take(base, valueStart..<valueEnd)
      case KnownField.proxyConnection.rawValue:
        return false
      default: break
      }
      start = position &+ 2
    }
    if section == .response { reason = scanStart..<reasonEnd }
    self.contentLength = contentLength
    self.options = options
    position = start &+ 2
    phase = .complete
    block.adopt(count: count, present: present)
    block.keep(base, position)
    return true
  }

  /// The length of the name that begins at `start` and is followed by a colon before `lineEnd`, or 0. Fewer than 32
  /// bytes are left only at the end of the input.
  @inline(__always)
  private static func nameLength<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ lineEnd: Int, _ end: Int, _ known: inout UInt8,
    with lanes: L.Type
  ) -> Int {
    if start &+ 32 <= end {
      let colons = lanes.colons(base + start)
      if colons != 0 {
        let length = colons.trailingZeroBitCount
        guard length < lineEnd &- start else { return 0 }
        known = KnownField.recognise(base + start, length, with: lanes)
        if known != FieldRange.unknown { return length }
        let wanted: UInt32 = (1 &<< UInt32(truncatingIfNeeded: length)) &- 1
        if lanes.wordBytes(base + start) & wanted == wanted { return length }
      }
    }
    return plainNameLength(base, start, lineEnd, &known)
  }

  @inline(never)
  private static func plainNameLength(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ lineEnd: Int, _ known: inout UInt8
  ) -> Int {
    let length = ByteScan.firstNonToken(base, start, lineEnd) &- start
    guard start &+ length < lineEnd, base[start &+ length] == Byte.colon else { return 0 }
    known = KnownField.recognise(base + start, length)?.rawValue ?? FieldRange.unknown
    return length
  }

  /// `HTTP/1.x SP 3DIGIT SP` at the beginning of at least 64 bytes: 13 if it is there, else 0, with nothing changed.
  @inline(__always)
  mutating func readPlainStatusLine(_ base: UnsafePointer<UInt8>) -> Int {
    let word = UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(as: UInt64.self))
    let minor = base[7] &- 0x30
    guard word & 0x00FF_FFFF_FFFF_FFFF == 0x002E_312F_5054_5448, minor < 10, base[8] == Byte.space else {
      return 0
    }
    let (hundreds, tens, ones) = (base[9] &- 0x30, base[10] &- 0x30, base[11] &- 0x30)
    guard hundreds &- 1 < 9, tens < 10, ones < 10, base[12] == Byte.space else { return 0 }
    minorVersion = Int(minor)
    status = Int(hundreds) &* 100 &+ Int(tens) &* 10 &+ Int(ones)
    return 13
  }
}
