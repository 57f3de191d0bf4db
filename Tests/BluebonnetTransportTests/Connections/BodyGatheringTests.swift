// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

@Suite struct BodyGatheringTests {
  @Test func smallPiecesAreMovedTogetherAndLargeOnesAreLent() {
    var memory = [UInt8](repeating: 0, count: 80_000)
    memory.withUnsafeMutableBytes { buffer in
      for (start, byte) in [(4, 1), (22, 2), (40, 3)] as [(Int, UInt8)] {
        for index in start..<start + 16 { buffer[index] = byte }
      }
      var body = BodyGathering()
      for start in [4, 22, 40] {
        let added = body.add(start..<start + 16, in: buffer)
        #expect(added)
      }
      #expect(body.range == 4..<52)
      #expect((0..<3).allSatisfy { part in (0..<16).allSatisfy { buffer[4 + part * 16 + $0] == part + 1 } })
      // What lies behind without a gap needs no move, however much it is.
      let adjacent = body.add(52..<30_000, in: buffer)
      #expect(adjacent)
      let large = body.add(30_006..<30_006 + BodyGathering.largestMoved + 1, in: buffer)
      #expect(!large)
      #expect(body.take() == 4..<30_000)
      #expect(body.take().isEmpty)
      let first = body.add(30_006..<60_000, in: buffer)
      #expect(first)
      #expect(body.range == 30_006..<60_000)
    }
  }

  /// Pieces of every size, overlapping moves among them: what is delivered is what was there.
  @Test func whateverIsGatheredStaysWhatItWas() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      var expected: [UInt8] = []
      var delivered: [UInt8] = []
      var memory = generator.bytes(70_000)
      memory.withUnsafeMutableBytes { buffer in
        var body = BodyGathering()
        var start = 0
        while start < buffer.count {
          let usual = Int.random(in: 1...40, using: &generator)
          let count = Int.random(in: 0..<40, using: &generator) == 0 ? usual * 800 : usual
          let piece = start..<min(start + count, buffer.count)
          expected += buffer[piece]
          if !body.add(piece, in: buffer) {
            delivered += buffer[body.take()]
            let isAdded = body.add(piece, in: buffer)
            #expect(isAdded)
          }
          start = piece.upperBound + Int.random(in: 0...9, using: &generator)
        }
        delivered += buffer[body.take()]
      }
      #expect(delivered == expected)
    }
  }
}
