// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The first two bytes of a wire target's input: what the parser is told, and where the rest is cut.
struct Circumstances {
  let mode: ParsingMode
  let kind: RequestKind
  /// Whether the peer closes behind the last byte.
  let closes: Bool
  let limits: ParserLimits
  let cuts: UInt8
  let wire: [UInt8]

  init?(_ input: [UInt8]) {
    guard input.count >= 2 else { return nil }
    let flags = input[0]
    mode = flags & 1 != 0 ? .lenient : flags & 32 != 0 ? .tolerant : .strict
    kind = [.ordinary, .head, .connect, .ordinary][Int(flags >> 1 & 3)]
    closes = flags & 8 != 0
    // Limits within reach of a short input, so that what happens at them is seen.
    limits =
      flags & 16 == 0
      ? .default
      : ParserLimits(
        headBytes: 160, fieldCount: 4, lineBytes: 72, chunkExtensionBytes: 12, chunkOverheadBytes: 8,
        trailerBytes: 48, interimResponses: 2)
    cuts = input[1]
    wire = Array(input[2...])
  }

  /// Ways to cut `wire`, each a list of ends: one cut, pieces of pseudo-random length, and for short inputs every
  /// byte alone. All follow from the input, so that a finding repeats.
  var feedings: [[Int]] {
    let count = wire.count
    var pieces: [Int] = []
    var state = UInt32(cuts) &* 2_654_435_761 | 1
    var end = 0
    while end < count {
      state = state &* 1_664_525 &+ 1_013_904_223
      end = min(count, end + Int(state >> 24) % (cuts & 1 == 0 ? 9 : 90) + 1)
      pieces.append(end)
    }
    var feedings = [[Int(cuts) * 17 % (count + 1), count], pieces]
    if count <= 300 { feedings.append(Array(0...count)) }
    return feedings
  }
}
