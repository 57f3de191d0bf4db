// SPDX-License-Identifier: MIT
extension HeadReader {
  /// Reads the rest of a head that has arrived as a whole and needs no judgement, as nearly every one, from
  /// `start`, the beginning of its first field line. `end` is at least ``shortest`` and at most ``wholeLimit``.
  ///
  /// Returns false, having changed nothing that ``readOn(_:_:)`` does not set back, if there is anything else about it;
  /// the resumable reader then goes on from where it was and finds out what. Everything accepted here is accepted
  /// there, with the same result.
  @inline(__always)
  mutating func readWhole<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ end: Int, from start: Int, with lanes: L.Type
  ) -> Bool {
    // Names are looked up with the line end before them, and two bytes follow it at least.
    if _slowPath(start &+ 2 > end || Self.pair(base, start &- 2) != Self.lineEnd) { return false }
    let (table, capacity) = block.table()
    let lines = Self.readLines(base, end, start, table, table + min(capacity, limits.fieldCount), lanes)
    if _slowPath(lines.length <= 0) { return false }
    var framing = lines.framing
    while framing != 0 {
      let row = table + Int(truncatingIfNeeded: framing & 0xFFFF &- 1)
      framing &>>= 16
      if note(known: row.pointee.known, base, row.pointee.value) != nil {
        contentLength = ContentLength()
        options = ConnectionOptions()
        return false
      }
    }
    isPlainlyFramed =
      lines.present & KnownField.transferEncoding.bit == 0 && contentLength.count < 2 && !isDoubtful
    position = lines.length
    phase = .complete
    block.adopt(base, lines.length, count: lines.count, present: lines.present)
    return true
  }

  /// The findings of one pass over the field lines.
  private struct Lines {
    var count: Int
    /// The length of the head, or 0 if it is not complete or something in it needs judgement.
    var length: Int
    /// The fields present, as in ``FieldBlock/present``.
    var present: UInt64
    /// The rows of up to four fields that frame the message or manage the connection, counted from 1.
    var framing: UInt64

    static var none: Lines { Lines(count: 0, length: 0, present: 0, framing: 0) }
  }

  /// Writes a row for each field line, up to the empty line.
  ///
  /// It looks at 64 bytes at a time for those that are not printable, and visits the first of each run of them. In a
  /// head these are the line ends; each line is taken apart while it is at hand. What follows a line end in its run is
  /// the beginning of a name, and looked at with it.
  @inline(never)
  private static func readLines<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ end: Int, _ firstStart: Int, _ table: UnsafeMutablePointer<FieldRange>,
    _ tableEnd: UnsafeMutablePointer<FieldRange>, _ lanes: L.Type
  ) -> Lines {
    guard pair(base, firstStart) != lineEnd else {
      return Lines(count: 0, length: firstStart &+ 2, present: 0, framing: 0)
    }
    // The last line end of a head is followed by two more bytes.
    let scanEnd = end &- 3
    var start = firstStart
    var (blockStart, runs) = (firstStart &- 64, UInt64(0))
    var (row, present, framing) = (table, UInt64(0), UInt64(0))
    while true {
      while runs == 0 {
        // A line end across two blocks was visited with the first.
        blockStart = max(blockStart &+ 64, start)
        let surplus = blockStart &+ 64 &- scanEnd
        var unusual: UInt64
        if surplus <= 0 {
          unusual = lanes.unusual(base + blockStart)
        } else {
          guard surplus < 64 else { return .none }
          unusual = lanes.unusual(base + (scanEnd &- 64)) &>> UInt64(truncatingIfNeeded: surplus)
        }
        runs = unusual & ~(unusual &<< 1)
      }
      let position = blockStart &+ runs.trailingZeroBitCount
      runs &= runs &- 1
      if _slowPath(pair(base, position) != lineEnd) {
        guard base[position] == Byte.tab || base[position] >= 0x80 else { return .none }
        // The run may go on with a line end: the next block begins within it.
        blockStart = position &- 63
        runs = 0
        continue
      }
      if _slowPath(row >= tableEnd) { return .none }
      let name = name(base, start, position, scanEnd, with: lanes)
      if _slowPath(name.length <= 0) { return .none }
      // Nearly always one space stands before the value and nothing behind it.
      var valueStart = start &+ name.length &+ 2
      if _slowPath(base[valueStart &- 1] != Byte.space || base[valueStart] <= Byte.space) {
        valueStart = firstContent(base, valueStart &- 1)
      }
      var valueEnd = position
      if _slowPath(base[valueEnd &- 1] <= Byte.space) { valueEnd = contentEnd(base, valueStart, position) }
      row.pointee = FieldRange(
        nameStart: UInt32(truncatingIfNeeded: start), valueStart: UInt32(truncatingIfNeeded: valueStart),
        valueEnd: UInt32(truncatingIfNeeded: valueEnd), nameLength: UInt16(truncatingIfNeeded: name.length),
        known: UInt8(truncatingIfNeeded: name.known))
      row += 1
      present |= 1 &<< UInt64(truncatingIfNeeded: name.known)
      if _slowPath(name.known <= Int(KnownField.lastOfFraming)) {
        let number = distance(table, row)
        guard framing &>> 48 == 0, number <= 0xFFFF else { return .none }
        framing = framing &<< 16 | UInt64(truncatingIfNeeded: number)
      }
      start = position &+ 2
      if _slowPath(pair(base, start) == lineEnd) {
        return Lines(count: distance(table, row), length: start &+ 2, present: present, framing: framing)
      }
    }
  }

  /// The number of rows between two, the first of them coming first.
  @inline(__always)
  private static func distance(
    _ first: UnsafeMutablePointer<FieldRange>, _ second: UnsafeMutablePointer<FieldRange>
  ) -> Int {
    let bytes = UInt(bitPattern: second) &- UInt(bitPattern: first)
    return Int(bitPattern: bytes / UInt(MemoryLayout<FieldRange>.stride))
  }

  /// The end of the whitespace before a value; a line end stops it.
  @inline(never)
  private static func firstContent(_ base: UnsafePointer<UInt8>, _ start: Int) -> Int {
    var index = start
    while Byte.isWhitespace(base[index]) { index &+= 1 }
    return index
  }

  /// The start of the whitespace behind a value.
  @inline(never)
  private static func contentEnd(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var index = end
    while index > start, Byte.isWhitespace(base[index &- 1]) { index &-= 1 }
    return index
  }

  /// An input is looked at in blocks of 64 bytes, of which the last three are no place for the last field's line end.
  static var shortest: Int { 67 }

  /// Two bytes as ``lineEnd`` is written.
  @inline(__always)
  private static func pair(_ base: UnsafePointer<UInt8>, _ offset: Int) -> UInt16 {
    UInt16(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt16.self))
  }

  /// CR LF as they are loaded.
  private static var lineEnd: UInt16 { 0x0A0D }

  /// The length of the name that begins at `start` and is followed by a colon before `lineEnd`, or 0, and its row.
  /// Looks at sixteen bytes at once, enough for most names. A colon behind the line end needs no test: the
  /// line feed before it is neither a letter, a digit or a dash, nor does bit 5 make it equal to a byte of any row.
  @inline(__always)
  private static func name<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ lineEnd: Int, _ scanEnd: Int, with lanes: L.Type
  ) -> (length: Int, known: Int) {
    let name = base + start
    // Three bytes behind `scanEnd` may be read.
    if _slowPath(start &+ 13 > scanEnd) { return plainName(base, start, lineEnd) }
    let colons = lanes.colons(name)
    if colons == 0 { return longName(base, start, lineEnd, scanEnd, with: lanes) }
    let length = colons.trailingZeroBitCount
    let slot = KnownField.slot(name, length)
    // The bytes up to and including the colon.
    let wanted = colons ^ (colons &- 1)
    if ~lanes.equalFolded(name, KnownField.row(slot)) & wanted == 0 { return (length, Int(slot)) }
    if _slowPath(~(lanes.wordBytes(name) | colons) & wanted != 0) { return plainName(base, start, lineEnd) }
    return (length, Int(FieldRange.unknown))
  }

  /// A name without a colon among its first sixteen bytes.
  @inline(__always)
  private static func longName<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ lineEnd: Int, _ scanEnd: Int, with lanes: L.Type
  ) -> (length: Int, known: Int) {
    let name = base + start
    if _slowPath(start &+ 29 > scanEnd) { return plainName(base, start, lineEnd) }
    let colons = lanes.colons(name + 16)
    if _slowPath(colons == 0) { return plainName(base, start, lineEnd) }
    let length = colons.trailingZeroBitCount &+ 16
    let wanted = colons ^ (colons &- 1)
    let slot = KnownField.slot(name, length)
    let row = KnownField.row(slot)
    if lanes.equalFolded(name, row) == 0xFFFF, ~lanes.equalFolded(name + 16, row + 16) & wanted == 0 {
      return (length, Int(slot))
    }
    if _slowPath(lanes.wordBytes(name) != 0xFFFF || ~(lanes.wordBytes(name + 16) | colons) & wanted != 0) {
      return plainName(base, start, lineEnd)
    }
    return (length, Int(FieldRange.unknown))
  }

  @inline(never)
  private static func plainName(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ lineEnd: Int
  ) -> (length: Int, known: Int) {
    let length = ByteScan.firstNonToken(base, start, lineEnd) &- start
    guard start &+ length < lineEnd, base[start &+ length] == Byte.colon, length <= Int(UInt16.max) else {
      return (0, 0)
    }
    return (length, Int(KnownField.recognise(base + start, length)?.rawValue ?? FieldRange.unknown))
  }

  /// `HTTP/1.x SP 3DIGIT SP reason CRLF` at the beginning of an input that is not too short. Returns where the next line begins, or
  /// 0 with nothing changed that is not set back.
  @inline(__always)
  mutating func readPlainStatusLine(_ base: UnsafePointer<UInt8>, _ end: Int) -> Int {
    let version = UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(as: UInt64.self))
    // The rest of "HTTP/1.x" without "HTTP/1.0" is x, in the highest byte.
    let rest = version &- 0x302E_312F_5054_5448
    let minor = rest &<< 8 | rest &>> 56
    // The rest of " 200 " without " 000 " is three bytes that are no digits if six more reach their upper half.
    let word = UInt64(littleEndian: UnsafeRawPointer(base + 8).loadUnaligned(as: UInt64.self))
    let digits = word ^ 0x20_3030_3020
    let (hundreds, tens, ones) = (digits &>> 8 & 0xF, digits &>> 16 & 0xF, digits &>> 24 & 0xF)
    if _slowPath(minor > 9 || (digits | (digits &+ 0x0606_0600)) & 0xFF_F0F0_F0FF != 0 || hundreds == 0) {
      return 0
    }
    var reasonEnd = 15
    // Nearly every reason is "OK".
    if word &>> 40 != 0x0D_4B4F {
      reasonEnd = ByteScan.firstForbiddenInValue(base, 13, end &- 1)
      guard reasonEnd < end &- 1 else { return 0 }
    }
    if _slowPath(Self.pair(base, reasonEnd) != Self.lineEnd) { return 0 }
    minorVersion = Int(truncatingIfNeeded: minor)
    status = Int(truncatingIfNeeded: hundreds &* 100 &+ tens &* 10 &+ ones)
    reason = 13..<reasonEnd
    return reasonEnd &+ 2
  }
}
