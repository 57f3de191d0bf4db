// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetEventLoop

/// A loop whose clock is the test's.
@Suite struct EventLoopClockTests {
  private final class Log: Sendable {
    let loop: EventLoop
    private let fired = LoopConfined(Fired())

    private final class Fired { var names: [String] = [] }

    init(_ loop: EventLoop) { self.loop = loop }

    var names: [String] { loop.withLoop { fired.value.names } }

    func note(_ name: String) { fired.value.names.append(name) }
  }

  private static func loop() -> EventLoop {
    let loop = EventLoop(name: "stopped")
    loop.stopClock()
    return loop
  }

  @Test func nothingIsDueButByMovingIt() {
    let loop = Self.loop()
    defer { loop.stop() }
    let log = Log(loop)
    let start = loop.instant
    loop.withLoop {
      #expect(loop.now == start)
      for (name, milliseconds) in [("c", 30), ("a", 10), ("b", 20)] {
        _ = loop.schedule(at: start.adding(.milliseconds(milliseconds))) { log.note(name) }
      }
    }
    loop.advance(by: .nanoseconds(9_999_999))
    #expect(log.names.isEmpty)
    loop.advance(by: .nanoseconds(1))
    #expect(log.names == ["a"] && loop.instant == start.adding(.milliseconds(10)))
    loop.advance(by: .seconds(1))
    #expect(log.names == ["a", "b", "c"])
  }

  /// A timer that sets the next one for the same moment is followed by it.
  @Test func timersThatTimersSet() {
    let loop = Self.loop()
    defer { loop.stop() }
    let log = Log(loop)
    loop.withLoop {
      _ = loop.schedule(at: loop.now.adding(.milliseconds(1))) {
        log.note("a")
        _ = loop.schedule(at: loop.now) { log.note("b") }
      }
    }
    loop.advance(by: .milliseconds(1))
    #expect(log.names == ["a", "b"])
  }

  /// Jobs and descriptors do not wait for the clock.
  @Test func jobsGoOn() async {
    let loop = Self.loop()
    defer { loop.stop() }
    let log = Log(loop)
    loop.withLoop { _ = loop.schedule(at: loop.now.adding(.milliseconds(1))) { log.note("timer") } }
    loop.enqueue { log.note("job") }
    await Eventually.expect("the job is done") { log.names == ["job"] }
  }

  @Test func theWallClockStandsStillWithIt() {
    let loop = Self.loop()
    defer { loop.stop() }
    let start = loop.secondsSince1970
    loop.advance(by: .seconds(100))
    // Two clocks are read one after the other, and the wall clock may be set a little.
    #expect(abs(loop.secondsSince1970 - start - 100) < 1)
  }
}
