// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWireVectors

/// A first response in one framing variant, behind which a second one is planted that nobody asked for.
struct Planting: Sendable, CustomStringConvertible {
  /// What the first response answers, or is. Where no body belongs, variants with chunks have theirs all the same.
  enum Circumstance: CaseIterable, Sendable {
    case ordinary, behindHints, toHead, noContent, notModified
  }

  static let planted = Array("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nplanted".utf8)

  /// Every pair of spellings once, with bodies and circumstances in turn.
  static let everyPair: [Planting] = FramingVariant.all.enumerated().compactMap { number, variant in
    let pair = number / FramingVariant.Body.allCases.count
    guard number % 2 == pair % 2 else { return nil }
    return Planting(variant: variant, circumstance: Circumstance.allCases[pair % Circumstance.allCases.count])
  }

  /// All in which the parser keeps the connection, in either mode: another request follows, unless something is planted.
  static let kept: [Planting] = Circumstance.allCases.flatMap { circumstance in
    FramingVariant.all.map { Planting(variant: $0, circumstance: circumstance) }
  }.filter { $0.keepsConnection(.tolerant) }

  let variant: FramingVariant
  let circumstance: Circumstance

  /// The first response, without what is planted.
  var first: [UInt8] {
    switch circumstance {
    case .ordinary: variant.response()
    case .behindHints: variant.response(hints: true)
    case .toHead: variant.response(hasBody: variant.body == .chunked)
    case .noContent: variant.response(status: 204, hasBody: variant.body == .chunked)
    case .notModified: variant.response(status: 304, hasBody: variant.body == .chunked)
    }
  }

  var method: String { circumstance == .toHead ? "HEAD" : "GET" }

  /// What the parser makes of the first response and of what comes in the same segment.
  func transcript(
    with planted: [UInt8] = [], closed: Bool = false, mode: ParsingMode = .tolerant
  ) -> Transcript {
    Subject.response(RequestKind(method: method)).transcript(first + planted, eof: closed, mode: mode)
  }

  /// Whether the parser would go on behind the first response, all of which it has taken.
  func keepsConnection(_ mode: ParsingMode) -> Bool {
    let transcript = transcript(mode: mode)
    return transcript.keepsConnection && transcript.consumed == first.count
  }

  var description: String { "\(circumstance): \(variant)" }
}
