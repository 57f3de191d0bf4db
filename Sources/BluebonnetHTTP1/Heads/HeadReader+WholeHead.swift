extension HeadReader {
  /// Reads what is left of a head that has arrived as a whole and needs no judgement, which is nearly every one, from
  /// `scanStart` on. Returns false, having changed nothing that ``read(_:_:)`` does not set back, if there is anything
  /// else about it; the resumable reader then goes on from where it was and finds out what. Everything accepted here
  /// is accepted there, with the same result.
  @inline(__always)
  mutating func readWhole<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ end: Int, from scanStart: Int, with lanes: L.Type
  ) -> Bool {
    // Blocks overlap at the end of the input, but must not reach before it; names are looked up with the eight bytes
    // before them, which a start line always provides.
    guard end > 64, scanStart >= 8 else { return false }
    let (table, capacity) = block.table()
    var present: UInt64 = 0
    let firstStart = section == .response ? 0 : scanStart
    let (count, length) = Self.readLines(
      base, end, scanStart, firstStart, table, min(capacity, limits.fieldCount),
      min(limits.lineBytes, Int(UInt16.max)), &present, lanes)
    guard length > 0 else { return false }
    let framing = KnownField.connection.bit | KnownField.contentLength.bit | KnownField.proxyConnection.bit
    if present & framing != 0, !noteAtOnce(base, table, count) { return false }
    if section == .response {
      let firstField = count > 0 ? Int(table[0].nameStart) : length &- 2
      reason = scanStart..<(firstField &- 2)
    }
    position = length
    phase = .complete
    block.adopt(count: count, present: present)
    block.keep(base, length)
    return true
  }

  /// Writes a row for each field line, up to the empty line; returns their number and the length of the head, or a
  /// length of 0 if the head is not complete or something in it needs judgement. A start line that begins at 0 has no
  /// row.
  ///
  /// It looks at 64 bytes at a time for those that are not printable. In a head these are the line ends; they alone
  /// are visited, and each line is taken apart while it is at hand.
  @inline(never)
  private static func readLines<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ end: Int, _ scanStart: Int, _ lineStart: Int,
    _ table: UnsafeMutablePointer<FieldRange>, _ capacity: Int, _ lineLimit: Int, _ present: inout UInt64,
    _ lanes: L.Type
  ) -> (count: Int, length: Int) {
    // A line end is two bytes, so the last byte need not be looked at for the first of them.
    let scanEnd = end &- 1
    var start = lineStart
    var count = 0
    var seen: UInt64 = 0
    var blockStart = scanStart
    var next = scanStart
    var bits: UInt64 = 0
    while true {
      while bits == 0 {
        blockStart = next
        next &+= 64
        if next <= scanEnd {
          bits = lanes.unusual(base + blockStart)
        } else {
          guard blockStart < scanEnd else { return (0, 0) }
          bits = lanes.unusual(base + (scanEnd &- 64)) &>> UInt64(truncatingIfNeeded: next &- scanEnd)
          next = scanEnd
        }
      }
      let position = blockStart &+ bits.trailingZeroBitCount
      bits &= bits &- 1
      guard UnsafeRawPointer(base + position).loadUnaligned(as: UInt16.self) == lineEnd else {
        if base[position] == Byte.tab || base[position] >= 0x80 { continue }
        return (0, 0)
      }
      // The line feed is the next bit, or the first one of a block that need not be looked at.
      if position &+ 1 == next { next &+= 1 } else { bits &= bits &- 1 }
      guard position &- start <= lineLimit else { return (0, 0) }
      if position == start { break }
      if start > 0 {
        guard count < capacity else { return (0, 0) }
        let name = name(base, start, position, end, with: lanes)
        guard name.length > 0 else { return (0, 0) }
        // The line end stops this loop.
        var valueStart = start &+ name.length &+ 1
        if base[valueStart] == Byte.space { valueStart &+= 1 }
        while Byte.isWhitespace(base[valueStart]) { valueStart &+= 1 }
        var valueEnd = position
        if base[valueEnd &- 1] <= Byte.space {
          while valueEnd > valueStart, Byte.isWhitespace(base[valueEnd &- 1]) { valueEnd &-= 1 }
        }
        table[count] = FieldRange(
          nameStart: UInt32(truncatingIfNeeded: start), valueStart: UInt32(truncatingIfNeeded: valueStart),
          valueEnd: UInt32(truncatingIfNeeded: valueEnd), nameLength: UInt16(truncatingIfNeeded: name.length),
          known: UInt8(truncatingIfNeeded: name.known))
        count &+= 1
        seen |= 1 &<< UInt64(truncatingIfNeeded: name.known)
      }
      start = position &+ 2
    }
    present = seen
    return (count, start &+ 2)
  }

  /// Takes the fields that frame the message; false if one of them is wrong.
  @inline(never)
  private mutating func noteAtOnce(
    _ base: UnsafePointer<UInt8>, _ table: UnsafeMutablePointer<FieldRange>, _ count: Int
  ) -> Bool {
    for index in 0..<count where table[index].known <= KnownField.lastOfFraming {
      guard let known = KnownField(rawValue: table[index].known) else { continue }
      if note(known, base, table[index].value) != nil { return false }
    }
    return true
  }

  /// CR LF as they are loaded.
  private static var lineEnd: UInt16 { UInt16(littleEndian: 0x0A0D) }

  /// The length of the name that begins at `start` and is followed by a colon before `lineEnd`, or 0, and its row.
  /// Looks at sixteen bytes at once, which is enough for most names.
  @inline(__always)
  private static func name<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ lineEnd: Int, _ end: Int, with lanes: L.Type
  ) -> (length: Int, known: Int) {
    let name = base + start
    guard start &+ 16 <= end else { return plainName(base, start, lineEnd) }
    let colons = lanes.colons(name)
    guard colons != 0 else { return longName(base, start, lineEnd, end, with: lanes) }
    let length = colons.trailingZeroBitCount
    let slot = KnownField.slot(name, length)
    // The bytes up to and including the colon.
    let wanted = colons ^ (colons &- 1)
    if lanes.equalFolded(name, KnownField.row(slot)) & wanted == wanted {
      return (length < lineEnd &- start ? length : 0, Int(slot))
    }
    if (lanes.wordBytes(name) | colons) & wanted == wanted {
      return (length < lineEnd &- start ? length : 0, Int(FieldRange.unknown))
    }
    return plainName(base, start, lineEnd)
  }

  /// A name whose colon is not among its first sixteen bytes.
  @inline(__always)
  private static func longName<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ lineEnd: Int, _ end: Int, with lanes: L.Type
  ) -> (length: Int, known: Int) {
    let name = base + start
    guard start &+ 32 <= end else { return plainName(base, start, lineEnd) }
    let colons = lanes.colons(name + 16)
    guard colons != 0 else { return plainName(base, start, lineEnd) }
    let length = colons.trailingZeroBitCount &+ 16
    guard length < lineEnd &- start else { return (0, 0) }
    let wanted = colons ^ (colons &- 1)
    let slot = KnownField.slot(name, length)
    let row = KnownField.row(slot)
    if lanes.equalFolded(name, row) == 0xFFFF, lanes.equalFolded(name + 16, row + 16) & wanted == wanted {
      return (length, Int(slot))
    }
    let isWord =
      lanes.wordBytes(name) == 0xFFFF && (lanes.wordBytes(name + 16) | colons) & wanted == wanted
    return isWord ? (length, Int(FieldRange.unknown)) : plainName(base, start, lineEnd)
  }

  @inline(never)
  private static func plainName(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ lineEnd: Int
  ) -> (length: Int, known: Int) {
    let length = ByteScan.firstNonToken(base, start, lineEnd) &- start
    guard start &+ length < lineEnd, base[start &+ length] == Byte.colon else { return (0, 0) }
    return (length, Int(KnownField.recognise(base + start, length)?.rawValue ?? FieldRange.unknown))
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
