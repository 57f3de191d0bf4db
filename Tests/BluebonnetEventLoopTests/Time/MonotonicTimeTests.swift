// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

@Suite struct MonotonicTimeTests {
  @Test(arguments: [
    (UInt64(5), Duration.nanoseconds(7), UInt64(12)),
    (5, .nanoseconds(-3), 2),
    (5, .nanoseconds(-7), 0),
    (5, .seconds(1) + .nanoseconds(1), 1_000_000_006),
    (5, .seconds(Int64.max), .max),
    (5, .seconds(Int64.min), 0),
    (.max, .seconds(1), .max),
    (.max - 1, .nanoseconds(1), .max),
  ])
  func addingSaturates(start: UInt64, duration: Duration, sum: UInt64) {
    #expect(MonotonicTime(nanoseconds: start).adding(duration) == MonotonicTime(nanoseconds: sum))
  }

  @Test func differenceHasASign() {
    let early = MonotonicTime(nanoseconds: 10)
    let late = MonotonicTime(nanoseconds: 1_000_000_010)
    #expect(late.since(early) == .seconds(1))
    #expect(early.since(late) == .seconds(-1))
  }

  @Test func clockDoesNotGoBack() {
    let first = MonotonicTime.now()
    #expect(MonotonicTime.now() >= first)
  }
}
