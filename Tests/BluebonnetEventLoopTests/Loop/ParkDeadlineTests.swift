// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

private func at(_ milliseconds: UInt64) -> MonotonicTime {
  MonotonicTime(nanoseconds: milliseconds * 1_000_000)
}

@Suite struct ParkDeadlineTests {
  @Test func sleepsWithoutLimitWhenThereIsNoTimer() {
    var park = ParkDeadline()
    park.update(earliest: nil, now: at(10))
    #expect(park.milliseconds(from: at(10)) == -1)
  }

  @Test(arguments: [(0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2), (60_000_000_000, 60_000)])
  func roundsUp(nanoseconds: UInt64, milliseconds: Int32) {
    var park = ParkDeadline()
    let now = MonotonicTime(nanoseconds: 5)
    park.update(earliest: MonotonicTime(nanoseconds: 5 + nanoseconds), now: now)
    #expect(park.milliseconds(from: now) == milliseconds)
  }

  @Test func overdueIsNoSleep() {
    var park = ParkDeadline()
    park.update(earliest: at(5), now: at(9))
    #expect(park.milliseconds(from: at(9)) == 0)
  }

  /// One request after the other, each with a time-out that is cancelled: only the first has to wake the thread.
  @Test func sequentialTimeOutsShortenTheSleepOnce() {
    var park = ParkDeadline()
    var wakeUps = 0
    for moment in 0..<1_000 as Range<UInt64> {
      park.update(earliest: nil, now: at(moment))
      if park.shorten(to: at(moment + 60_000)) { wakeUps += 1 }
    }
    #expect(wakeUps == 1)
    #expect(park.deadline == at(60_000))
    park.update(earliest: nil, now: at(60_000))
    #expect(park.deadline == .distantFuture)
  }

  @Test func earlierTimerShortensEachTime() {
    var park = ParkDeadline()
    #expect(park.shorten(to: at(50)) == true)
    #expect(park.shorten(to: at(50)) == false)
    #expect(park.shorten(to: at(40)) == true)
    #expect(park.shorten(to: nil) == false)
  }
}
