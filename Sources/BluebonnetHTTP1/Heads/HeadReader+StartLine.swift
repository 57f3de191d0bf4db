// SPDX-License-Identifier: MIT
extension HeadReader {
  /// RFC 9112 §3 and §4. Afterwards `phase` is `lineStart`, or a later phase if it was one before.
  mutating func readStartLine(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    while true {
      switch phase {
      case .startLine:
        guard try skipEmptyLines(base, end) else { return false }
        lineStart = position
        partStart = position
        phase = section == .response ? .status : .method
      case .status:
        guard try readStatus(base, end) else { return false }
      case .afterStatus:
        guard try readAfterStatus(base, end) else { return false }
      case .reason:
        let contentEnd = try readContent(base, end, invalid: .invalidReason)
        guard contentEnd >= 0 else { return false }
        reason = partStart..<contentEnd
        phase = .lineStart
        lineStart = position
      case .method:
        guard try readMethod(base, end) else { return false }
      case .target:
        guard try readTarget(base, end) else { return false }
      case .version:
        guard try readRequestVersion(base, end) else { return false }
      default:
        return true
      }
    }
  }

  /// RFC 9112 §2.2 lets a *server* skip empty lines before a request line. Before a status line they are bytes
  /// that belong to no response, so strict mode refuses them there.
  private mutating func skipEmptyLines(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    while position < end {
      let byte = base[position]
      guard byte == Byte.cr || byte == Byte.lf else { return true }
      lineStart = position
      if section == .response, !forgives(.emptyLineBeforeStatusLine, at: position) {
        throw fault(.emptyLineBeforeStatusLine, at: position)
      }
      if byte == Byte.lf {
        guard forgives(.bareLF, at: position) else { throw fault(.bareLF, at: position) }
        position &+= 1
      } else {
        guard position &+ 1 < end else { return false }
        guard base[position &+ 1] == Byte.lf else { throw fault(.bareCR, at: position) }
        position &+= 2
      }
    }
    return false
  }

  /// `HTTP/1.x`, at most eight bytes from `start`; returns how many of them are there and right.
  private mutating func readVersion(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, malformed: HTTP1Error.Rule
  ) throws(HTTP1Error) -> Int {
    let prefix: StaticString = "HTTP/"
    let count = min(end &- start, 8)
    for offset in 0..<count {
      let byte = base[start &+ offset]
      switch offset {
      case 0..<5: guard byte == prefix.utf8Start[offset] else { throw fault(malformed, at: start &+ offset) }
      case 5:
        // One digit, and the only major version with this syntax is 1 (RFC 9110 §2.5).
        guard Byte.isDigit(byte) else { throw fault(malformed, at: start &+ offset) }
        guard byte == 0x31 else { throw fault(.unsupportedVersion, at: start &+ offset) }
      case 6: guard byte == 0x2E else { throw fault(malformed, at: start &+ offset) }
      default:
        guard Byte.isDigit(byte) else { throw fault(malformed, at: start &+ offset) }
        minorVersion = Int(byte &- 0x30)
      }
    }
    return count
  }

  /// `HTTP/1.x SP 3DIGIT`. Judged anew from its start on each call: it is bounded by its twelve bytes (and, in
  /// lenient mode, resumed after each space).
  private mutating func readStatus(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    if position == partStart {
      guard try readVersion(base, position, end, malformed: .invalidStatusLine) == 8 else { return false }
      guard position &+ 8 < end else { return false }
      guard isSeparator(base, position &+ 8) else { throw fault(.invalidStatusLine, at: position &+ 8) }
      position &+= 9
    }
    skipWhitespace(base, end)
    var code = 0
    for offset in 0..<3 {
      guard position &+ offset < end else { return false }
      let byte = base[position &+ offset]
      guard Byte.isDigit(byte) else { throw fault(.invalidStatusCode, at: position &+ offset) }
      code = code &* 10 &+ Int(byte &- 0x30)
      if offset == 0, code == 0 { throw fault(.invalidStatusCode, at: position) }
    }
    status = code
    position &+= 3
    phase = .afterStatus
    return true
  }

  /// RFC 9112 §4 wants a space even before an empty reason. Servers forget it so often that every client takes
  /// the bare line end, in which nothing is ambiguous.
  private mutating func readAfterStatus(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    guard position < end else { return false }
    let byte = base[position]
    if isSeparator(base, position) {
      position &+= 1
    } else if byte != Byte.cr, byte != Byte.lf {
      throw fault(.invalidStatusCode, at: position)
    } else if byte == Byte.cr {
      guard position &+ 1 < end else { return false }
      guard base[position &+ 1] == Byte.lf else { throw fault(.bareCR, at: position) }
    }
    partStart = position
    phase = .reason
    return true
  }

  private mutating func readMethod(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    position = ByteScan.firstNonToken(base, position, end)
    guard position < end else { return false }
    guard position > partStart, isSeparator(base, position) else { throw fault(.invalidMethod, at: position) }
    method = partStart..<position
    position &+= 1
    partStart = position
    phase = .target
    return true
  }

  private mutating func readTarget(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    if position == partStart {
      skipWhitespace(base, end)
      partStart = position
    }
    while position < end, Byte.isVisible(base[position]) { position &+= 1 }
    guard position < end else { return false }
    guard position > partStart, isSeparator(base, position) else { throw fault(.invalidTarget, at: position) }
    let isConnect =
      method.count == 7
      && KnownMethod.isConnect(UnsafeBufferPointer(start: base + method.lowerBound, count: 7))
    guard RequestTarget.isValid(base + partStart, position &- partStart, toConnect: isConnect) else {
      // Cut inside the target, the line would have been found too long first.
      try checkLine(upTo: position)
      throw fault(.invalidTarget, at: partStart)
    }
    target = partStart..<position
    position &+= 1
    partStart = position
    phase = .version
    return true
  }

  private mutating func readRequestVersion(
    _ base: UnsafePointer<UInt8>, _ end: Int
  ) throws(HTTP1Error) -> Bool {
    if position == partStart {
      skipWhitespace(base, end)
      partStart = position
    }
    if position == partStart {
      guard try readVersion(base, position, end, malformed: .invalidRequestLine) == 8 else { return false }
      position &+= 8
    }
    skipWhitespace(base, end)
    guard position < end else { return false }
    switch base[position] {
    case Byte.cr:
      guard position &+ 1 < end else { return false }
      guard base[position &+ 1] == Byte.lf else { throw fault(.bareCR, at: position) }
      try checkLine(upTo: position)
      position &+= 2
    case Byte.lf:
      guard forgives(.bareLF, at: position) else { throw fault(.bareLF, at: position) }
      try checkLine(upTo: position)
      position &+= 1
    default:
      throw fault(.invalidRequestLine, at: position)
    }
    phase = .lineStart
    lineStart = position
    return true
  }

  /// RFC 9112 §3: a recipient may take any run of whitespace for the one space of the grammar.
  private mutating func skipWhitespace(_ base: UnsafePointer<UInt8>, _ end: Int) {
    while position < end, Byte.isWhitespace(base[position]), forgives(malformed, at: position) {
      position &+= 1
    }
  }

  private mutating func isSeparator(_ base: UnsafePointer<UInt8>, _ offset: Int) -> Bool {
    base[offset] == Byte.space || (base[offset] == Byte.tab && forgives(malformed, at: offset))
  }

  /// The rule broken by a start line without single spaces between its parts.
  private var malformed: HTTP1Error.Rule { section == .response ? .invalidStatusLine : .invalidRequestLine }
}
