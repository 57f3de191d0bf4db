// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import Testing

@testable import BluebonnetTransport

@Suite struct ReadPaceTests {
  private static func time(_ microseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: UInt64(1_000_000 + microseconds) * 1_000)
  }

  /// Reads of `size` every `microseconds`, until one has an effect.
  private func read(
    _ pace: inout ReadPace, size: Int, every microseconds: Int, count: Int = 100, remaining: Int? = nil,
    from start: Int = 0
  ) -> (action: ReadPace.Action, reads: Int) {
    for index in 0..<count {
      let action = pace.drained(size, remaining: remaining, at: Self.time(start + index * microseconds))
      if action != .none { return (action, index + 1) }
    }
    return (.none, count)
  }

  @Test func manySmallReadsOfALongBodyBecomeBatches() {
    var pace = ReadPace()
    let (action, reads) = read(&pace, size: 16_384, every: 50)
    #expect(action == .batch && reads == 16)
    #expect(pace.isBatching)
    // From here on nothing is said while batches come.
    #expect(read(&pace, size: 130_000, every: 200).action == .none)
  }

  @Test(
    arguments: [
      // Too slow, large already, and near the end.
      (16_384, 1_000, nil), (100_000, 50, nil), (16_384, 50, 200_000),
    ] as [(Int, Int, Int?)])
  func otherReadsStayEager(size: Int, every: Int, remaining: Int?) {
    var pace = ReadPace()
    #expect(read(&pace, size: size, every: every, remaining: remaining).action == .none)
    #expect(!pace.isBatching)
  }

  @Test func theEndOfABodyIsReadEagerly() {
    var pace = ReadPace()
    _ = read(&pace, size: 16_384, every: 50)
    #expect(pace.drained(130_000, remaining: 1 << 20, at: Self.time(2_000)) == .none)
    #expect(pace.drained(130_000, remaining: 200_000, at: Self.time(2_100)) == .eager)
    #expect(pace.end() == .none)
  }

  @Test func aPeerThatFillsNoBatchInTimeIsReadEagerlyForAWhile() {
    var pace = ReadPace()
    _ = read(&pace, size: 16_384, every: 50)
    // The last read was at 750 µs.
    #expect(pace.waited(until: Self.time(2_000)) == .look(at: Self.time(2_750)))
    #expect(pace.waited(until: Self.time(2_750)) == .eager)
    #expect(pace.waited(until: Self.time(2_800)) == .none)
    #expect(read(&pace, size: 16_384, every: 50, from: 3_000).action == .none)
    #expect(read(&pace, size: 16_384, every: 50, from: 110_000).action == .batch)
  }

  @Test func whateverEndsABodyEndsItsBatches() {
    var pace = ReadPace()
    #expect(pace.end() == .none)
    _ = read(&pace, size: 16_384, every: 50)
    #expect(pace.end() == .eager)
    #expect(pace.waited(until: Self.time(10_000)) == .none)
  }
}
