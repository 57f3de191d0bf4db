// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct LowSpeedLimitTests {
  private func limit(_ speed: Int?, _ time: Int?) -> LowSpeedLimit? {
    var options = OutputOptions()
    (options.speedLimit, options.speedTime) = (speed, time)
    return LowSpeedLimit(options)
  }

  /// Whether the limit is missed at each time, in seconds, with so many bytes by then.
  private func misses(_ progress: [(seconds: Int, bytes: Int)]) -> [Bool] {
    let start = ContinuousClock.now
    var limit = limit(100, 3)
    return progress.map { limit?.isMissed(with: $0.bytes, at: start + .seconds($0.seconds)) == true }
  }

  @Test func zeroIsNoLimit() {
    #expect(limit(nil, nil) == nil)
    #expect(limit(0, 30) == nil)
    #expect(limit(1, 0) == nil)
  }

  @Test func missedAfterItsTimeAlone() {
    #expect(misses([(0, 0), (2, 10), (3, 10)]) == [false, false, true])
  }

  @Test func enoughBytesBeginItAnew() {
    #expect(misses([(0, 0), (2, 200), (4, 200), (5, 200)]) == [false, false, false, true])
  }
}
