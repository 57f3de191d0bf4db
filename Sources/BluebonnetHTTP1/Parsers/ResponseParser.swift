// SPDX-License-Identifier: MIT

/// Reads one final response, with the interim responses before it, from bytes that arrive in any pieces.
///
/// ```swift
/// var parser = ResponseParser(toMethod: .ordinary)
/// var consumed = 0
/// while case let event = try parser.next(in: bytes.span, consumed: &consumed), event != .end {
///   if case .body(let range) = event { body += bytes[range] }
/// }
/// ```
///
/// Any bytes give events or an ``HTTP1Error``, at a cost linear in their number, and the same ones wherever the
/// input is cut.
public struct ResponseParser: Sendable {
  /// The meaning of the next bytes.
  public enum Event: Sendable, Equatable {
    /// All input is read. Offer the unconsumed bytes again, with more behind them, or call ``ResponseParser/finish()``.
    case needsMore
    /// A 1xx response other than 101; ``ResponseParser/head`` holds it until the next event is taken.
    case interim(status: Int)
    /// The final response's head is complete; `head` has it.
    case head
    /// These bytes of the input are body.
    case body(Range<Int>)
    /// The response is complete. Bytes behind `consumed` are not part of it.
    case end
  }

  private enum State: Sendable { case head, body, end, failed(HTTP1Error) }

  private let limits: ParserLimits
  private var state = State.head
  private var reader: HeadReader
  private var body: BodyReader
  private var interimCount = 0
  /// The repairs in interim responses, and whether one had fields that none may have.
  private var interimRepairs = Repairs()
  private var isInterimDoubtful = false
  /// Bytes consumed since the start: the stream offset of the next one.
  private var offset = 0
  /// Whether the response says nothing against another one behind it.
  private(set) var mayKeepConnection = false
  private var hasPeerEnded = false

  /// The length announced by Content-Length, also where no body follows (HEAD, 304).
  public private(set) var contentLength: Int?
  /// Whether the connection stops speaking HTTP/1.1 here: 101, or 2xx to CONNECT.
  public private(set) var isUpgraded = false

  /// A parser for the response to a request of this kind.
  public init(toMethod kind: RequestKind, mode: ParsingMode = .strict, limits: ParserLimits = .default) {
    self.limits = limits
    reader = HeadReader(.response, mode: mode, limits: limits)
    reader.kind = kind
    body = BodyReader(mode: mode, limits: limits)
  }

  /// Starts over for the next response on the connection. Keeps its storage, so that from the second response on
  /// nothing is allocated unless the last head is still referenced.
  ///
  /// - Parameters:
  ///   - kind: The kind of the request's method, for the response's end.
  ///   - codings: The transfer codings it may have. Default: `chunked` alone.
  public mutating func reset(toMethod kind: RequestKind, transferCodings codings: TransferCodings = .chunked)
  {
    state = .head
    reader.reset(origin: 0)
    reader.kind = kind
    reader.codings = codings
    interimCount = 0
    interimRepairs = Repairs()
    isInterimDoubtful = false
    offset = 0
    mayKeepConnection = false
    hasPeerEnded = false
    contentLength = nil
    isUpgraded = false
    body.begin(.none, offset: 0)
    body.keepsChunks = codings == .asReceived
  }

  /// The head of the last `.interim` or `.head` event.
  @inline(__always)
  public var head: ResponseHead {
    ResponseHead(
      minorVersion: reader.minorVersion, status: reader.status, reason: reader.reason, fields: reader.block)
  }

  /// The faults repaired so far, in interim responses and trailers too. If there is any, the connection is not
  /// used again, unless in lenient mode all lines of the response end in a bare LF and that is all.
  @inline(__always)
  public var repairs: Repairs {
    var repairs = reader.repairs
    repairs.formUnion(interimRepairs)
    repairs.formUnion(body.repairs)
    return repairs
  }

  /// All facts about a head. Mutating only to save a copy.
  mutating func received() -> ReceivedHead {
    ReceivedHead(
      head: reader.received(), contentLength: contentLength, bytesExpected: bytesExpected, repairs: repairs)
  }

  /// The trailer fields, after `.end`.
  public var trailers: FieldBlock {
    if body.framing == .chunked, case .end = state { body.chunks.trailers } else { FieldBlock() }
  }

  /// The bytes of the body still to come: all of them for a Content-Length, those of the current chunk, or nil
  /// where that is unknown.
  @inline(__always)
  public var bytesExpected: Int? {
    switch state {
    case .body: body.bytesExpected
    case .end: 0
    case .head, .failed: nil
    }
  }

  /// After `.end`: whether another request may be sent (RFC 9112 §9.3); never if anything about the
  /// framing was doubtful.
  public var keepsConnection: Bool {
    if case .end = state { mayKeepConnection && !hasPeerEnded } else { false }
  }

  /// Whether the head lets the connection be used again, whatever its body does. Valid from `.head` on.
  var keepsConnectionBehindHead: Bool { reader.persists }

  /// The start of the head being read.
  var headOffset: Int { offset }

  /// The last head's status.
  var status: Int { reader.status }

  /// After `.end`: why the connection is not used again, as far as the response is concerned.
  var closeReason: CloseReason? {
    if mayKeepConnection { return nil }
    if isUpgraded { return .upgraded }
    if body.framing == .untilClose { return .endsWithConnection }
    if !repairs.isEmpty { return .repaired }
    if reader.persists { return .doubtfulFraming }
    return reader.options.closes ? .askedByServer : .oldVersion
  }

  /// Takes the next event from `input[consumed...]` and advances `consumed` past it. Body ranges index `input`. On
  /// `.needsMore` bytes stay unconsumed only inside a head or a trailer section.
  public mutating func next(in input: Span<UInt8>, consumed: inout Int) throws(HTTP1Error) -> Event {
    try input.withUnsafeBufferPointer { (bytes) throws(HTTP1Error) in
      // Of an empty input nothing is read, wherever it is said to be.
      try next(bytes.baseAddress ?? KnownField.row(0), bytes.count, &consumed)
    }
  }

  @inline(__always)
  private mutating func next(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int
  ) throws(HTTP1Error) -> Event {
    switch state {
    case .head: try nextHead(base, count, &consumed)
    case .body: try nextOfBody(base, count, &consumed)
    case .end: .end
    case .failed(let error): throw error
    }
  }

  @inline(never)
  private mutating func nextHead(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int
  ) throws(HTTP1Error) -> Event {
    do throws(HTTP1Error) {
      if reader.phase == .complete { reader.reset(origin: offset) }
      guard try reader.readResponse(base + consumed, count &- consumed) else { return .needsMore }
      let origin = offset
      offset &+= reader.position
      consumed &+= reader.position
      if reader.status < 200, reader.status != 101 { return try countInterim(origin) }
      try beginBody(origin)
      state = .body
      return .head
    } catch {
      state = .failed(error)
      throw error
    }
  }

  @inline(never)
  private mutating func nextOfBody(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int
  ) throws(HTTP1Error) -> Event {
    let start = consumed
    do throws(HTTP1Error) {
      let step = try body.next(base, count, &consumed)
      offset &+= consumed &- start
      switch step {
      case .needsMore: return .needsMore
      case .body(let range): return .body(range)
      case .end:
        state = .end
        if !body.repairs.isEmpty { mayKeepConnection = false }
        return .end
      }
    } catch {
      state = .failed(error)
      throw error
    }
  }

  /// The peer closed. `.end` if that completes the response, otherwise an error that says where it was cut off.
  public mutating func finish() throws(HTTP1Error) -> Event {
    switch state {
    case .head:
      let unread = reader.phase == .complete ? 0 : reader.position
      let error = HTTP1Error(.truncatedHead, offset: offset &+ unread)
      state = .failed(error)
      throw error
    case .body:
      guard body.mayFinish else {
        let error = HTTP1Error(.truncatedBody, offset: offset)
        state = .failed(error)
        throw error
      }
      hasPeerEnded = true
      state = .end
      return .end
    case .end:
      return .end
    case .failed(let error):
      throw error
    }
  }

  private mutating func countInterim(_ origin: Int) throws(HTTP1Error) -> Event {
    interimCount += 1
    interimRepairs.formUnion(reader.repairs)
    isInterimDoubtful = isInterimDoubtful || reader.isDoubtful || reader.announcesBody
    if interimCount > limits.interimResponses { throw HTTP1Error(.tooManyInterimResponses, offset: origin) }
    return .interim(status: reader.status)
  }

  /// RFC 9112 §6.3.
  @inline(__always)
  private mutating func beginBody(_ origin: Int) throws(HTTP1Error) {
    // What comes of the rules for nearly every response, without going through them.
    if reader.isPlainlyFramed, reader.kind == .ordinary, reader.status >= 200, reader.status != 204,
      reader.status != 304, !isInterimDoubtful, let length = reader.contentLength.value
    {
      contentLength = length
      mayKeepConnection = reader.persists
      return body.begin(.length(length), offset: 0)
    }
    try judgeBody(origin)
  }

  /// The rules in their order.
  @inline(never)
  private mutating func judgeBody(_ origin: Int) throws(HTTP1Error) {
    let facts = FramingFacts(&reader)
    let status = reader.status
    let upgrades = status == 101 || reader.isTunnel
    if upgrades { try refuseRepairedUpgrade() }
    isUpgraded = upgrades
    // The lines of chunks would have to end as those of the head do.
    let isMixed = facts.isChunked || !reader.endsEachLineInLF
    var isDoubtful = facts.isDoubtful || reader.isDoubtful && isMixed || isInterimDoubtful
    let isCoded = facts.isChunked || facts.endsWithConnection
    contentLength = isCoded || reader.lengthFault != nil ? nil : reader.contentLength.value
    let framing: BodyFraming
    if reader.endsWithHead {
      framing = .none
      // Fields that are wrong, or that 204 must not have (§6.1), mean that the peer may go on to send something.
      if facts.broken != nil || (status == 204 && facts.isChunked) { isDoubtful = true }
    } else if let broken = facts.broken {
      throw broken
    } else if facts.isChunked {
      framing = .chunked
    } else if let contentLength {
      framing = .length(contentLength)
    } else {
      framing = .untilClose
    }
    mayKeepConnection = reader.persists && framing != .untilClose && !isDoubtful && !isUpgraded
    body.begin(framing, offset: origin &+ reader.position)
  }

  /// After a repair the connection is not used again, and to go on in another protocol would be to use it: where its
  /// first byte stands must be beyond doubt.
  private func refuseRepairedUpgrade() throws(HTTP1Error) {
    guard reader.mode == .tolerant, reader.isDoubtful || !interimRepairs.isEmpty,
      let repair = reader.firstRepair
    else { return }
    throw repair
  }
}
