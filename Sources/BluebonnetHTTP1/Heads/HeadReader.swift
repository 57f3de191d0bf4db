// SPDX-License-Identifier: MIT

/// Reads one head or trailer section, resuming where the last call stopped, so that a peer that sends one byte at
/// a time costs no more than one that sends all at once.
///
/// Contract of every `read…` function here: it is given the whole section so far (`base` points at its first byte,
/// `end` bytes may be read), advances `position` over what it has judged, and returns whether its part is complete;
/// false means that `end` was reached first. No decision depends on where the input happened to be cut.
struct HeadReader: Sendable {
  enum Section: Sendable { case response, request, trailer }

  enum Phase: Sendable {
    case startLine, status, afterStatus, reason
    case method, target, version
    case lineStart, name, colon, valueStart, value, complete
  }

  let section: Section
  let mode: ParsingMode
  let limits: ParserLimits
  /// The most bytes that a section may have.
  private let sectionLimit: Int
  /// The most that one may have to be read at once: no line of it can be too long.
  let wholeLimit: Int
  /// The section's offset in everything the parser was given, for errors.
  var origin = 0

  /// Everything before it has been judged. Invariant: never beyond the `end` of the last call.
  var position = 0
  var phase: Phase
  /// The start of the current line.
  var lineStart = 0
  /// The start of the part being read (method, target, reason, value).
  var partStart = 0
  var nameLength = 0
  /// Bytes were let pass that become spaces in the block's copy (RFC 9112 §2.2, §4, §5.2; RFC 9110 §5.5).
  var needsRepair = false
  /// The faults let pass that strict mode refuses: the connection is not to be used again.
  var repairs = Repairs()
  /// The place of the first of ``repairs``; stale while there are none.
  private(set) var firstRepair: HTTP1Error?
  /// Whether each line ends in a bare LF, in lenient mode, and nothing else had to be repaired; stale while there are no
  /// ``repairs``. A recipient that takes LF for an end (RFC 9112 §2.2) sees the same lines, one that does not sees no head:
  /// none sees other fields, as where a value holds an LF between lines that end in CRLF.
  private(set) var endsEachLineInLF = false

  var minorVersion = 0
  var status = 0
  var reason = 0..<0
  var method = 0..<0
  var target = 0..<0
  var block = FieldBlock()
  var contentLength = ContentLength()
  var options = ConnectionOptions()
  /// The first rule broken by a Content-Length in a message that does not depend on it for its framing.
  var lengthFault: (HTTP1Error.Rule, Int)?
  /// Whether the head was read at once and has the usual framing: by one Content-Length at most, and a right one,
  /// and nothing that would have to be judged.
  var isPlainlyFramed = false
  /// The kind of request that a response answers; it decides whether the response has a body.
  var kind = RequestKind.ordinary
  /// The transfer codings that a response may have.
  var codings = TransferCodings.chunked

  init(_ section: Section, mode: ParsingMode, limits: ParserLimits) {
    self.section = section
    // Tolerance is for what servers write into the heads of their responses.
    self.mode = mode == .tolerant && section != .response ? .strict : mode
    self.limits = limits
    self.phase = section == .trailer ? .lineStart : .startLine
    sectionLimit = min(
      section == .trailer ? limits.trailerBytes : limits.headBytes, ParserLimits.longestSection)
    wholeLimit = min(sectionLimit, limits.lineBytes)
  }

  /// Starts over for the next section. Keeps storage unless the last block is still referenced elsewhere.
  @inline(__always)
  mutating func reset(origin: Int) {
    self.origin = origin
    position = 0
    phase = section == .trailer ? .lineStart : .startLine
    lineStart = 0
    needsRepair = false
    repairs = Repairs()
    contentLength = ContentLength()
    options = ConnectionOptions()
    lengthFault = nil
    isPlainlyFramed = false
    block.removeAll()
  }

  /// Whether the message ends with its head whatever its fields say (RFC 9112 §6.3 items 1 and 2). Known as soon as
  /// the start line is.
  @inline(__always)
  var endsWithHead: Bool {
    guard section == .response else { return false }
    return kind == .head || status < 200 || status == 204 || status == 304 || isTunnel
  }

  /// Whether an interim response has fields that would frame a body, which it must not have (RFC 9112 §6.1, RFC 9110 §8.6):
  /// a peer that goes on to send one is taken for the final response.
  var announcesBody: Bool {
    block.contains(.transferEncoding) || lengthFault != nil || (contentLength.value ?? 0) != 0
  }

  /// Whether the connection may be used again as far as the fields are concerned (RFC 9112 §9.3).
  @inline(__always)
  var persists: Bool {
    !options.closes && (minorVersion > 0 || options.keepsAlive)
  }

  /// Whether a response turns the connection into a tunnel (RFC 9110 §9.3.6).
  @inline(__always)
  var isTunnel: Bool { kind == .connect && 200..<300 ~= status }

  /// Reads on. True when the section is complete: `position` is then its length, and `block` holds its fields.
  mutating func readRequest(_ base: UnsafePointer<UInt8>, _ count: Int) throws(HTTP1Error) -> Bool {
    if phase == .startLine, try readRequestAtOnce(base, count, with: NativeLanes.self) { return true }
    return try readOn(base, count)
  }

  /// Reads on, as ``readRequest(_:_:)``.
  @inline(__always)
  mutating func readResponse(_ base: UnsafePointer<UInt8>, _ count: Int) throws(HTTP1Error) -> Bool {
    if phase == .startLine, readResponseAtOnce(base, count, with: NativeLanes.self) { return true }
    return try readOn(base, count)
  }

  /// Reads a head that was not read at once.
  @inline(never)
  mutating func readOn(_ base: UnsafePointer<UInt8>, _ count: Int) throws(HTTP1Error) -> Bool {
    let limit = sectionLimit
    let end = min(count, limit)
    guard try readLines(base, end) else {
      try checkLine(upTo: position)
      // The section is longer than the limit as soon as the limit's last byte does not end it.
      if count >= limit {
        throw HTTP1Error(section == .trailer ? .trailersTooLong : .headTooLong, offset: origin &+ limit)
      }
      return false
    }
    if !repairs.isEmpty {
      endsEachLineInLF =
        mode == .lenient && section == .response && repairs.isOnly(.bareLF)
        && !UnsafeBufferPointer(start: base, count: position).contains(Byte.cr)
    }
    keepBytes(base)
    return true
  }

  /// Tries the way that is taken once per head, with its first bytes.
  @inline(__always)
  mutating func readResponseAtOnce<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ count: Int, with lanes: L.Type
  ) -> Bool {
    let end = min(count, wholeLimit)
    if _slowPath(end < Self.shortest) { return false }
    let start = readPlainStatusLine(base, end)
    return start > 0 && readWhole(base, end, from: start, with: lanes)
  }

  /// As ``readResponseAtOnce(_:_:with:)``; what it has read of the request line stays read.
  @inline(__always)
  private mutating func readRequestAtOnce<L: Lanes>(
    _ base: UnsafePointer<UInt8>, _ count: Int, with lanes: L.Type
  ) throws(HTTP1Error) -> Bool {
    guard try readStartLine(base, min(count, sectionLimit)) else { return false }
    let end = min(count, wholeLimit)
    return end >= Self.shortest && readWhole(base, end, from: position, with: lanes)
  }

  @inline(never)
  private mutating func readLines(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    if section != .trailer, try !readStartLine(base, end) { return false }
    return try readFields(base, end)
  }

  /// Throws at `offset` of the section, unless the line was already too long there: then that is the fault,
  /// wherever the input was cut.
  func fault(_ rule: HTTP1Error.Rule, at offset: Int) -> HTTP1Error {
    if offset &- lineStart > limits.lineBytes {
      return HTTP1Error(.lineTooLong, offset: origin &+ lineStart &+ limits.lineBytes)
    }
    return HTTP1Error(rule, offset: origin &+ offset)
  }

  /// Whether something passed that strict mode refuses.
  @inline(__always)
  var isDoubtful: Bool { !repairs.isEmpty }

  /// Whether what breaks `rule` at `offset` may pass, and takes note that it did.
  @inline(never)
  mutating func forgives(_ rule: HTTP1Error.Rule, at offset: Int) -> Bool {
    guard mode.forgives(rule) else { return false }
    if repairs.isEmpty { firstRepair = HTTP1Error(rule, offset: origin &+ offset) }
    repairs.insert(rule)
    return true
  }

  func checkLine(upTo offset: Int) throws(HTTP1Error) {
    if offset &- lineStart > limits.lineBytes {
      throw HTTP1Error(.lineTooLong, offset: origin &+ lineStart &+ limits.lineBytes)
    }
  }

  /// Reads to the end of the current line and returns where its content ends, or -1 if `end` came first.
  /// Accepts HTAB, SP, VCHAR and obs-text; everything else is refused or marked for repair.
  mutating func readContent(
    _ base: UnsafePointer<UInt8>, _ end: Int, invalid: HTTP1Error.Rule
  ) throws(HTTP1Error) -> Int {
    while true {
      let index = ByteScan.firstForbiddenInValue(base, position, end)
      position = index
      guard index < end else { return -1 }
      switch base[index] {
      case Byte.cr:
        guard index &+ 1 < end else { return -1 }
        if base[index &+ 1] == Byte.lf {
          try checkLine(upTo: index)
          position = index &+ 2
          return index
        }
        guard forgives(.bareCR, at: index) else { throw fault(.bareCR, at: index) }
        needsRepair = true
      case Byte.lf:
        guard forgives(.bareLF, at: index) else { throw fault(.bareLF, at: index) }
        try checkLine(upTo: index)
        position = index &+ 1
        return index
      default:
        // NUL has ended strings where it should not have: that is nothing to be tolerant of.
        guard base[index] != 0 || mode == .lenient, forgives(invalid, at: index) else {
          throw fault(invalid, at: index)
        }
        if base[index] == 0 || phase == .reason { needsRepair = true }
      }
      position = index &+ 1
    }
  }
}
