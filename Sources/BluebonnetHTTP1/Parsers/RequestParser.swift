// SPDX-License-Identifier: MIT

/// Reads one request from bytes that arrive in any pieces: the server's side of ``ResponseParser``.
public struct RequestParser: Sendable {
  /// The meaning of the next bytes.
  public enum Event: Sendable, Equatable {
    /// All input is read. Offer the unconsumed bytes again, with more behind them, or call ``RequestParser/finish()``.
    case needsMore
    /// The request's head is complete; `head` has it.
    case head
    /// These bytes of the input are body.
    case body(Range<Int>)
    /// The request is complete. Bytes behind `consumed` belong to the next one.
    case end
  }

  private enum State: Sendable { case head, body, end, failed(HTTP1Error) }

  private var state = State.head
  private var reader: HeadReader
  private var body: BodyReader
  private var offset = 0
  private var mayKeepConnection = false

  /// The length announced by Content-Length.
  public private(set) var contentLength: Int?

  /// A parser for one request.
  public init(mode: ParsingMode = .strict, limits: ParserLimits = .default) {
    reader = HeadReader(.request, mode: mode, limits: limits)
    body = BodyReader(mode: mode, limits: limits)
  }

  /// Starts over for the next request on the connection, keeping storage.
  public mutating func reset() {
    state = .head
    reader.reset(origin: 0)
    offset = 0
    mayKeepConnection = false
    contentLength = nil
    body.begin(.none, offset: 0)
  }

  /// The head of the request; an empty one before the event `.head`.
  public var head: RequestHead {
    RequestHead(
      minorVersion: reader.minorVersion, method: reader.method, target: reader.target, fields: reader.block)
  }

  /// The trailer fields, after `.end`.
  public var trailers: FieldBlock {
    if body.framing == .chunked, case .end = state { body.chunks.trailers } else { FieldBlock() }
  }

  /// The faults repaired so far, in lenient mode only. If there is any, the connection is not used again.
  public var repairs: Repairs {
    var repairs = reader.repairs
    repairs.formUnion(body.repairs)
    return repairs
  }

  /// Whether the client waits for `100 Continue` before it sends the body.
  public var expects100Continue: Bool { head.expects100Continue && body.framing != .none }

  /// The bytes of the body still to come, as far as that is known.
  public var bytesExpected: Int? {
    switch state {
    case .body: body.bytesExpected
    case .end: 0
    case .head, .failed: nil
    }
  }

  /// Whether the client expects to send another request (RFC 9112 §9.3); never so after doubtful framing. Valid
  /// from `.head` on, so that the response can say `Connection: close`.
  public var keepsConnection: Bool { mayKeepConnection }

  /// Takes the next event from `input[consumed...]` and advances `consumed` past it. Body ranges index `input`. On
  /// `.needsMore` bytes stay unconsumed only inside a head or a trailer section.
  public mutating func next(in input: Span<UInt8>, consumed: inout Int) throws(HTTP1Error) -> Event {
    try input.withUnsafeBufferPointer { (bytes) throws(HTTP1Error) in
      var none: UInt8 = 0
      guard let base = bytes.baseAddress else {
        return try withUnsafePointer(to: &none) { (base) throws(HTTP1Error) in try next(base, 0, &consumed) }
      }
      return try next(base, bytes.count, &consumed)
    }
  }

  private mutating func next(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int
  ) throws(HTTP1Error) -> Event {
    let start = consumed
    do throws(HTTP1Error) {
      switch state {
      case .head:
        guard try reader.readRequest(base + consumed, count &- consumed) else { return .needsMore }
        consumed &+= reader.position
        try beginBody()
        offset &+= consumed &- start
        state = .body
        return .head
      case .body:
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
      case .end:
        return .end
      case .failed(let error):
        throw error
      }
    } catch {
      state = .failed(error)
      mayKeepConnection = false
      throw error
    }
  }

  /// The peer closed. `.end` if the request is complete, otherwise an error that says where it was cut off.
  public mutating func finish() throws(HTTP1Error) -> Event {
    switch state {
    case .head:
      let error = HTTP1Error(.truncatedHead, offset: offset &+ reader.position)
      state = .failed(error)
      throw error
    case .body:
      guard body.mayFinish else {
        let error = HTTP1Error(.truncatedBody, offset: offset)
        state = .failed(error)
        throw error
      }
      state = .end
      return .end
    case .end:
      return .end
    case .failed(let error):
      throw error
    }
  }

  /// RFC 9112 §6.3: without Transfer-Encoding and Content-Length a request has no body (item 7).
  private mutating func beginBody() throws(HTTP1Error) {
    let facts = FramingFacts(&reader)
    if let broken = facts.broken { throw broken }
    contentLength = facts.isChunked ? nil : reader.contentLength.value
    let framing: BodyFraming =
      if facts.isChunked { .chunked } else if let contentLength { .length(contentLength) } else { .none }
    mayKeepConnection = reader.persists && !facts.isDoubtful && !reader.isDoubtful
    body.begin(framing, offset: offset &+ reader.position)
  }
}
