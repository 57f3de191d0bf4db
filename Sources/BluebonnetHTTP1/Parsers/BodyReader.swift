// SPDX-License-Identifier: MIT

/// The way the end of a body is found (RFC 9112 §6.3).
enum BodyFraming: Sendable, Equatable {
  case none
  case length(Int)
  case chunked
  case untilClose
}

/// Finds the end of one body, whichever way it is framed.
struct BodyReader: Sendable {
  enum Step: Equatable {
    case needsMore
    case body(Range<Int>)
    case end
  }

  private(set) var framing = BodyFraming.none
  private var remaining = 0
  var chunks: ChunkedDecoder
  /// Whether the framing of the chunks is delivered with them.
  var keepsChunks = false

  init(mode: ParsingMode, limits: ParserLimits) {
    chunks = ChunkedDecoder(mode: mode, limits: limits)
  }

  mutating func begin(_ framing: BodyFraming, offset: Int) {
    self.framing = framing
    switch framing {
    case .length(let length): remaining = length
    case .chunked: chunks.reset(offset: offset)
    case .none, .untilClose: remaining = 0
    }
  }

  /// The bytes still to come, as far as that is known.
  var bytesExpected: Int? {
    switch framing {
    case .none: 0
    case .length: remaining
    case .chunked: keepsChunks ? nil : chunks.bytesExpected
    case .untilClose: nil
    }
  }

  @inline(__always)
  mutating func next(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int
  ) throws(HTTP1Error) -> Step {
    switch framing {
    case .none:
      return .end
    case .length:
      guard remaining > 0 else { return .end }
      guard consumed < count else { return .needsMore }
      let range = consumed..<(consumed &+ min(remaining, count &- consumed))
      remaining &-= range.count
      consumed = range.upperBound
      return .body(range)
    case .chunked:
      if _slowPath(keepsChunks) { return try nextWithChunks(base, count, &consumed) }
      switch try chunks.next(base, count, &consumed) {
      case .needsMore: return .needsMore
      case .body(let range): return .body(range)
      case .end: return .end
      }
    case .untilClose:
      guard consumed < count else { return .needsMore }
      let range = consumed..<count
      consumed = count
      return .body(range)
    }
  }

  @inline(never)
  private mutating func nextWithChunks(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ consumed: inout Int
  ) throws(HTTP1Error) -> Step {
    let start = consumed
    do throws(HTTP1Error) {
      while true {
        switch try chunks.next(base, count, &consumed) {
        case .body: continue
        case .needsMore: return consumed > start ? .body(start..<consumed) : .needsMore
        case .end: return consumed > start ? .body(start..<consumed) : .end
        }
      }
    } catch {
      // What stands before the fault comes first; the fault is told again.
      guard consumed > start else { throw error }
      return .body(start..<consumed)
    }
  }

  /// The faults let pass behind the head.
  var repairs: Repairs { framing == .chunked ? chunks.repairs : Repairs() }

  /// Whether the body is complete when the peer closes now.
  var mayFinish: Bool {
    switch framing {
    case .none, .untilClose: true
    case .length: remaining == 0
    case .chunked: chunks.state == .end
    }
  }
}
