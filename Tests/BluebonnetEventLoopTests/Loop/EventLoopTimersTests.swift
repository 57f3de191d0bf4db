// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetEventLoop

extension LiveTests {
  @Suite struct EventLoopTimersTests {
    @Test func fireInOrderAndNotEarly() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let fired = Box<[Int]>([])
      let early = Box(0)
      let done = Signal()
      loop.execute {
        for delay in [9, 3, 6, 0] {
          let deadline = loop.now.adding(.milliseconds(delay))
          _ = loop.schedule(at: deadline) {
            if MonotonicTime.now() < deadline { early.value += 1 }
            fired.value.append(delay)
            done.raise()
          }
        }
      }
      #expect(done.wait(for: 4))
      #expect(fired.value == [0, 3, 6, 9])
      #expect(early.value == 0)
    }

    @Test func cancelledTimerDoesNotFire() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let fired = Box<[String]>([])
      let done = Signal()
      loop.execute {
        let token = loop.schedule(at: loop.now.adding(.milliseconds(2))) { fired.value.append("cancelled") }
        _ = loop.schedule(at: loop.now.adding(.milliseconds(4))) {
          fired.value.append("kept")
          done.raise()
        }
        loop.cancel(token)
        loop.cancel(token)
      }
      #expect(done.wait())
      #expect(fired.value == ["kept"])
    }

    /// The loop's thread sleeps towards a far deadline when another thread brings a near one.
    @Test func visitorsEarlierTimerShortensTheSleep() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      loop.execute { _ = loop.schedule(at: loop.now.adding(.seconds(3_600))) {} }
      #expect(loop.waitUntilParked())
      let before = loop.wakeUpsWritten
      let done = Signal()
      loop.execute { _ = loop.schedule(at: loop.now.adding(.milliseconds(5))) { done.raise() } }
      #expect(done.wait())
      #expect(loop.wakeUpsWritten == before + 1)
    }

    /// A time-out per request, always cancelled, wakes the loop's thread for the first request only.
    @Test func cancelledTimeOutsCostNoWakeUps() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      for _ in 0..<100 {
        #expect(loop.waitUntilParked())
        let token = Box<TimerToken?>(nil)
        loop.execute { token.value = loop.schedule(at: loop.now.adding(.seconds(60))) {} }
        loop.execute { if let token = token.value { loop.cancel(token) } }
      }
      #expect(loop.wakeUpsWritten <= 1)
    }

    /// A timer that always has a due successor must not keep the loop from its other work.
    @Test func endlessDueTimersLeaveRoomForJobs() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let isOver = Box(false)
      let done = Signal()
      let again = Box<(() -> Void)?>(nil)
      loop.execute {
        again.value = {
          guard !isOver.value, let action = again.value else { return }
          _ = loop.schedule(at: MonotonicTime(nanoseconds: 0), action)
        }
        again.value?()
      }
      loop.enqueue {
        isOver.value = true
        done.raise()
      }
      #expect(done.wait())
      loop.withLoop { again.value = nil }
    }
  }
}
