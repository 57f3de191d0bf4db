// SPDX-License-Identifier: MIT

/// Takes a chunked body apart (RFC 9112 §7.1), without copying its data.
///
/// ```swift
/// var decoder = ChunkedDecoder()
/// var consumed = 0
/// while case .body(let range) = try decoder.next(in: input, consumed: &consumed) {
///   body.append(contentsOf: bytes[range])
/// }
/// ```
public struct ChunkedDecoder: Sendable {
  /// The meaning of the next bytes.
  public enum Event: Sendable, Equatable {
    /// All input is read; offer the unconsumed bytes again, with more behind them.
    case needsMore
    /// These bytes of the input are body.
    case body(Range<Int>)
    /// The body and its trailer section are complete. Bytes behind `consumed` belong to someone else.
    case end
  }

  enum State: Sendable {
    case size, extensions, sizeLineEnd, data, dataEndCR, dataEndLF, trailers, end
  }

  let mode: ParsingMode
  let limits: ParserLimits
  var state = State.size
  /// Bytes consumed so far, plus the offset the decoder was started at: for errors.
  var offset = 0
  /// The rest of the current chunk, or the size read so far. 64 bits, because RFC 9112 §7.1 wants large sizes
  /// to be anticipated, not because anyone sends them.
  var remaining: UInt64 = 0
  var sizeDigits = 0
  var extensionBytes = 0
  /// Bytes of size lines and line ends beyond what the limit lets every chunk have.
  var overhead = 0
  var extensionState = ChunkExtension.start
  var trailerReader: HeadReader
  /// The faults let pass in the lines around the data.
  var lineRepairs = Repairs()
  var failure: HTTP1Error?

  /// Creates a decoder for one body.
  public init(mode: ParsingMode = .strict, limits: ParserLimits = .default) {
    self.mode = mode
    self.limits = limits
    trailerReader = HeadReader(.trailer, mode: mode, limits: limits)
  }

  /// Starts over for the next body.
  public mutating func reset() {
    reset(offset: 0)
  }

  mutating func reset(offset: Int) {
    state = .size
    self.offset = offset
    remaining = 0
    sizeDigits = 0
    extensionBytes = 0
    overhead = 0
    failure = nil
    lineRepairs = Repairs()
    trailerReader.reset(origin: 0)
  }

  /// The trailer fields, complete after `.end`. They are kept apart from the head's (RFC 9110 §6.5.1).
  public var trailers: FieldBlock { trailerReader.block }

  /// The faults let pass so far.
  var repairs: Repairs {
    var repairs = trailerReader.repairs
    repairs.formUnion(lineRepairs)
    return repairs
  }

  /// The bytes left in the current chunk, or nil between chunks.
  public var bytesExpected: Int? {
    state == .data ? Int(clamping: remaining) : nil
  }

  /// Takes the next event from `input[consumed...]` and advances `consumed` past it. Only inside a trailer section
  /// do bytes stay unconsumed on `.needsMore`.
  public mutating func next(in input: Span<UInt8>, consumed: inout Int) throws(HTTP1Error) -> Event {
    try input.withUnsafeBufferPointer { (bytes) throws(HTTP1Error) in
      guard let base = bytes.baseAddress else { return state == .end ? .end : .needsMore }
      return try next(base, bytes.count, &consumed)
    }
  }

  mutating func next(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int
  ) throws(HTTP1Error) -> Event {
    if let failure { throw failure }
    let start = consumed
    let origin = offset &- start
    do throws(HTTP1Error) {
      let event = try step(base, count, &consumed, origin)
      offset = origin &+ consumed
      return event
    } catch {
      failure = error
      throw error
    }
  }

  /// The peer closed. Throws unless the body was complete.
  public mutating func finish() throws(HTTP1Error) {
    if let failure { throw failure }
    guard state == .end else {
      let error = HTTP1Error(.truncatedBody, offset: offset)
      failure = error
      throw error
    }
  }
}
