// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Glibc

/// Responses made to be expensive, under limits that let all of them through.
enum Shapes {
  static let generous = ParserLimits(
    headBytes: 1 << 30, fieldCount: 100_000, lineBytes: 1 << 30, chunkExtensionBytes: 1 << 30,
    chunkOverheadBytes: 1 << 30,
    trailerBytes: 1 << 30, interimResponses: 16)

  /// Reads a whole response of which each read brings `step` bytes, offering again what is not consumed yet.
  static func read(_ input: [UInt8], _ rounds: Int, step: Int, _ mode: ParsingMode) throws {
    for _ in 0..<rounds {
      var parser = ResponseParser(toMethod: .ordinary, mode: mode, limits: generous)
      var consumed = 0
      var offered = 0
      var isComplete = false
      while offered < input.count {
        offered = min(offered + step, input.count)
        isComplete = try drain(&parser, input.span.extracting(first: offered), &consumed)
      }
      guard isComplete, consumed == input.count else { exit(1) }
    }
  }

  private static func drain(
    _ parser: inout ResponseParser, _ input: Span<UInt8>, _ consumed: inout Int
  ) throws -> Bool {
    while true {
      switch try parser.next(in: input, consumed: &consumed) {
      case .needsMore: return false
      case .end: return true
      case .head, .interim, .body: continue
      }
    }
  }
}
