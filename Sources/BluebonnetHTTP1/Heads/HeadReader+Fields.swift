// SPDX-License-Identifier: MIT
extension HeadReader {
  /// Reads field lines until the empty line (RFC 9112 §5).
  mutating func readFields(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    while true {
      switch phase {
      case .lineStart:
        guard try readLineStart(base, end) else { return false }
      case .name:
        guard try readName(base, end) else { return false }
      case .colon:
        guard try readColon(base, end) else { return false }
      case .valueStart:
        while position < end, Byte.isWhitespace(base[position]) { position &+= 1 }
        guard position < end else { return false }
        partStart = position
        phase = .value
      case .value:
        let contentEnd = try readContent(base, end, invalid: .invalidFieldValue)
        guard contentEnd >= 0 else { return false }
        try append(base, contentEnd)
        phase = .lineStart
        lineStart = position
      default:
        return true
      }
    }
  }

  private mutating func readLineStart(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    guard position < end else { return false }
    switch base[position] {
    case Byte.cr:
      guard position &+ 1 < end else { return false }
      lineStart = position
      try noteUnfolded(base)
      guard base[position &+ 1] == Byte.lf else { throw fault(.bareCR, at: position) }
      position &+= 2
      phase = .complete
    case Byte.lf:
      lineStart = position
      guard forgives(.bareLF, at: position) else { throw fault(.bareLF, at: position) }
      try noteUnfolded(base)
      position &+= 1
      phase = .complete
    case Byte.space, Byte.tab:
      lineStart = position
      guard !block.isEmpty else { throw fault(.whitespaceBeforeFirstField, at: position) }
      guard mayRepair(block.range(at: block.count &- 1).known), forgives(.foldedField, at: position) else {
        throw fault(.foldedField, at: position)
      }
      // The value goes on: take the field back and read to the end of this line too.
      guard let folded = block.popLast() else { return false }
      lineStart = Int(folded.nameStart)
      nameLength = Int(folded.nameLength)
      partStart = Int(folded.valueStart)
      needsRepair = true
      phase = .value
    default:
      try noteUnfolded(base)
      lineStart = position
      phase = .name
    }
    return true
  }

  private mutating func readName(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    position = ByteScan.firstNonToken(base, position, end)
    guard position < end else { return false }
    guard position > lineStart else { throw fault(.invalidFieldName, at: position) }
    nameLength = position &- lineStart
    if nameLength > Int(UInt16.max) {
      throw HTTP1Error(.lineTooLong, offset: origin &+ lineStart &+ min(Int(UInt16.max), limits.lineBytes))
    }
    switch base[position] {
    case Byte.colon:
      position &+= 1
      phase = .valueStart
    case Byte.space, Byte.tab:
      // RFC 9112 §5.1: a server must refuse this; in a response it may be removed. Trailers are not removed from.
      let known = KnownField.recognise(base + lineStart, nameLength)?.rawValue ?? FieldRange.unknown
      guard section == .response, mayRepair(known), forgives(.whitespaceBeforeColon, at: position) else {
        throw fault(.whitespaceBeforeColon, at: position)
      }
      phase = .colon
    default:
      throw fault(.invalidFieldName, at: position)
    }
    return true
  }

  private mutating func readColon(_ base: UnsafePointer<UInt8>, _ end: Int) throws(HTTP1Error) -> Bool {
    while position < end, Byte.isWhitespace(base[position]) { position &+= 1 }
    guard position < end else { return false }
    guard base[position] == Byte.colon else { throw fault(.invalidFieldName, at: position) }
    position &+= 1
    phase = .valueStart
    return true
  }

  private mutating func append(_ base: UnsafePointer<UInt8>, _ contentEnd: Int) throws(HTTP1Error) {
    guard block.count < limits.fieldCount else {
      throw HTTP1Error(.tooManyFields, offset: origin &+ lineStart)
    }
    var valueEnd = contentEnd
    while valueEnd > partStart, Byte.isWhitespace(base[valueEnd &- 1]) { valueEnd &-= 1 }
    let known = KnownField.recognise(base + lineStart, nameLength)?.rawValue ?? FieldRange.unknown
    if mode == .strict || !mayRepair(known) { try take(known: known, base, partStart..<valueEnd) }
    block.append(
      FieldRange(
        nameStart: UInt32(truncatingIfNeeded: lineStart), valueStart: UInt32(truncatingIfNeeded: partStart),
        valueEnd: UInt32(truncatingIfNeeded: valueEnd), nameLength: UInt16(truncatingIfNeeded: nameLength),
        known: known))
  }

  /// Whether a field of this name may be written in a way that has to be repaired. Those that frame the message may not
  /// in tolerant mode: a recipient that repairs them otherwise, or not at all, sees the message end elsewhere.
  private func mayRepair(_ known: UInt8) -> Bool {
    mode == .lenient
      || known != KnownField.contentLength.rawValue && known != KnownField.transferEncoding.rawValue
  }

  /// Takes the last field where it may be folded, so that it is known to be complete only when the next line does not
  /// fold it: to take it with each of its lines would cost the square of their number.
  private mutating func noteUnfolded(_ base: UnsafePointer<UInt8>) throws(HTTP1Error) {
    guard mode != .strict, !block.isEmpty else { return }
    let last = block.range(at: block.count &- 1)
    if mayRepair(last.known) { try take(known: last.known, base, last.value) }
  }

  private mutating func take(
    known: UInt8, _ base: UnsafePointer<UInt8>, _ value: Range<Int>
  ) throws(HTTP1Error) {
    guard let fault = note(known: known, base, value) else { return }
    // Noticed with its line, not with the end of the head: a peer that stalls there is found out at once.
    if !endsWithHead { throw HTTP1Error(fault.0, offset: origin &+ fault.1) }
    lengthFault = lengthFault ?? fault
  }

  /// Takes a field that frames the message or manages the connection; returns the rule its value breaks.
  @inline(__always)
  mutating func note(
    known: UInt8, _ base: UnsafePointer<UInt8>, _ value: Range<Int>
  ) -> (HTTP1Error.Rule, Int)? {
    if known == KnownField.contentLength.rawValue {
      return section == .trailer ? nil : contentLength.take(base, value)
    }
    if known == KnownField.connection.rawValue {
      options.take(base, value)
    } else if known == KnownField.proxyConnection.rawValue {
      // Proxy-Connection is no standard, but a peer that says `close` in it will close.
      let keptAlive = options.keepsAlive
      options.take(base, value)
      options.keepsAlive = keptAlive
    }
    return nil
  }

  /// Copies the finished section into the block, so that it survives the caller's buffer.
  mutating func keepBytes(_ base: UnsafePointer<UInt8>) {
    block.keep(base, position)
    if needsRepair { repair() }
  }

  /// Replaces the faults let pass by spaces, in the copy (RFC 9112 §2.2, §4 and §5.2, RFC 9110 §5.5), and trims.
  private mutating func repair() {
    let reason = reason
    block.edit { ranges, bytes in
      for index in reason where Byte.isForbiddenInValue(bytes[index]) { bytes[index] = Byte.space }
      for index in ranges.indices {
        let value = ranges[index].value
        let unfolded = Self.unfold(bytes, value)
        for index in unfolded..<value.upperBound { bytes[index] = Byte.space }
        let trimmed = ListElement.trimmed(bytes, value.lowerBound..<unfolded)
        ranges[index].valueStart = UInt32(truncatingIfNeeded: trimmed.lowerBound)
        ranges[index].valueEnd = UInt32(truncatingIfNeeded: trimmed.upperBound)
      }
    }
  }

  /// Puts one space into the place of each fold with the whitespace around it (RFC 9112 §5.2), and into that of each bare
  /// CR and NUL. Returns where the value then ends; it has moved up to its start.
  private static func unfold(_ bytes: UnsafeMutablePointer<UInt8>, _ value: Range<Int>) -> Int {
    var (source, target) = (value.lowerBound, value.lowerBound)
    while source < value.upperBound {
      let byte = bytes[source]
      source &+= 1
      if byte == Byte.lf {
        while source < value.upperBound, Byte.isWhitespace(bytes[source]) { source &+= 1 }
        // The CR of the line end is a space already.
        while target > value.lowerBound, Byte.isWhitespace(bytes[target &- 1]) { target &-= 1 }
      }
      bytes[target] = byte == Byte.lf || byte == Byte.cr || byte == 0 ? Byte.space : byte
      target &+= 1
    }
    return target
  }
}
