// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// A way to cut an input into the pieces in which it arrives.
package enum Feeding: Sendable, Equatable {
  case whole
  case bytewise
  case split(Int)
  case every(Int)

  /// The ends of the pieces, the last one being `count`.
  func ends(_ count: Int) -> [Int] {
    switch self {
    case .whole: [count]
    case .bytewise: Array(0...count)
    case .split(let at): [min(at, count), count]
    case .every(let step): Array(stride(from: step, to: count, by: step)) + [count]
    }
  }
}

/// A parser seen through one interface, so that one loop drives them all.
protocol Driven {
  associatedtype Event: Equatable
  var repairs: Repairs { get }
  mutating func next(in input: Span<UInt8>, consumed: inout Int) throws(HTTP1Error) -> Event
  mutating func close() throws(HTTP1Error)
  /// Adds the event to the transcript; true if the message is complete, nil if more input is needed.
  func note(_ event: Event, _ input: Span<UInt8>, in transcript: inout Transcript) -> Bool?
}

extension Driven {
  mutating func run(_ bytes: [UInt8], from start: Int, feeding: Feeding, eof: Bool) -> Transcript {
    var transcript = feed(bytes, from: start, feeding: feeding, eof: eof)
    transcript.repairs = repairs
    return transcript
  }

  private mutating func feed(_ bytes: [UInt8], from start: Int, feeding: Feeding, eof: Bool) -> Transcript {
    var transcript = Transcript()
    var consumed = start
    let all = bytes.span
    do throws(HTTP1Error) {
      for end in feeding.ends(bytes.count - start) {
        let input = all.extracting(first: start + end)
        while true {
          let event = try next(in: input, consumed: &consumed)
          guard let isComplete = note(event, input, in: &transcript) else { break }
          if isComplete {
            transcript.verdict = .complete
            transcript.consumed = consumed
            return transcript
          }
        }
      }
      transcript.consumed = consumed
      if eof {
        try close()
        transcript.verdict = .complete
      }
    } catch {
      transcript.verdict = .reject(error)
    }
    return transcript
  }
}

extension ResponseParser: Driven {
  mutating func close() throws(HTTP1Error) { _ = try finish() }

  func note(_ event: Event, _ input: Span<UInt8>, in transcript: inout Transcript) -> Bool? {
    switch event {
    case .needsMore: return nil
    case .interim(let status): transcript.interim.append(status)
    case .head:
      transcript.hasHead = true
      transcript.status = head.status
      transcript.reason = head.reason
      transcript.minorVersion = head.minorVersion
      transcript.fields = Transcript.fields(of: head.fields)
      transcript.contentLength = contentLength
    case .body(let range): for index in range { transcript.body.append(input[index]) }
    case .end:
      transcript.trailers = Transcript.fields(of: trailers)
      transcript.keepsConnection = keepsConnection
      transcript.isUpgraded = isUpgraded
      return true
    }
    return false
  }
}

extension RequestParser: Driven {
  mutating func close() throws(HTTP1Error) { _ = try finish() }

  func note(_ event: Event, _ input: Span<UInt8>, in transcript: inout Transcript) -> Bool? {
    switch event {
    case .needsMore: return nil
    case .head:
      transcript.hasHead = true
      transcript.method = head.method
      transcript.target = head.target
      transcript.minorVersion = head.minorVersion
      transcript.fields = Transcript.fields(of: head.fields)
      transcript.contentLength = contentLength
    case .body(let range): for index in range { transcript.body.append(input[index]) }
    case .end:
      transcript.trailers = Transcript.fields(of: trailers)
      transcript.keepsConnection = keepsConnection
      return true
    }
    return false
  }
}

extension ChunkedDecoder: Driven {
  /// Those of its trailers are the concern of the message.
  var repairs: Repairs { Repairs() }

  mutating func close() throws(HTTP1Error) { try finish() }

  func note(_ event: Event, _ input: Span<UInt8>, in transcript: inout Transcript) -> Bool? {
    switch event {
    case .needsMore: return nil
    case .body(let range): for index in range { transcript.body.append(input[index]) }
    case .end:
      transcript.trailers = Transcript.fields(of: trailers)
      return true
    }
    return false
  }
}

/// What is fed, and to which parser.
package enum Subject: Sendable, Equatable {
  case response(RequestKind)
  case request
  case chunked

  /// Feeds `bytes[start...]` and reports what the parser said.
  package func transcript(
    _ bytes: [UInt8], from start: Int = 0, feeding: Feeding = .whole, eof: Bool = false,
    mode: ParsingMode = .strict, limits: ParserLimits = .default
  ) -> Transcript {
    switch self {
    case .response(let kind):
      var parser = ResponseParser(toMethod: kind, mode: mode, limits: limits)
      return parser.run(bytes, from: start, feeding: feeding, eof: eof)
    case .request:
      var parser = RequestParser(mode: mode, limits: limits)
      return parser.run(bytes, from: start, feeding: feeding, eof: eof)
    case .chunked:
      var decoder = ChunkedDecoder(mode: mode, limits: limits)
      return decoder.run(bytes, from: start, feeding: feeding, eof: eof)
    }
  }

  /// The first feeding whose transcript differs from the whole one's, or nil: byte by byte, at every split (up to
  /// `splits` of them), and in strides that straddle vector widths.
  package func disagreement(
    _ bytes: [UInt8], from start: Int = 0, eof: Bool = false, mode: ParsingMode = .strict,
    limits: ParserLimits = .default, splits: Int = .max
  ) -> (Feeding, Transcript, Transcript)? {
    let whole = transcript(bytes, from: start, eof: eof, mode: mode, limits: limits)
    let count = bytes.count - start
    var feedings: [Feeding] = [.bytewise, .every(7), .every(16), .every(63)]
    let step = max(1, count / max(1, min(splits, count + 1)))
    feedings += stride(from: 0, through: count, by: step).map(Feeding.split)
    for feeding in feedings {
      let other = transcript(bytes, from: start, feeding: feeding, eof: eof, mode: mode, limits: limits)
      if other != whole { return (feeding, whole, other) }
    }
    return nil
  }
}
