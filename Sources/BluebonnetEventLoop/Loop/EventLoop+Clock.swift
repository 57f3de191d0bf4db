// SPDX-License-Identifier: MIT
import Synchronization

// The time by which a loop, and all that is built on it, goes.
extension EventLoop {
  /// The monotonic clock's reading at this moment, on any thread. In loop context `now` costs less.
  package var instant: MonotonicTime {
    #if DEBUG
      if let stopped { return stopped }
    #endif
    return MonotonicTime.now()
  }

  /// The wall clock's reading at this moment, in seconds since 1970, on any thread.
  package var secondsSince1970: Double {
    #if DEBUG
      if let stopped {
        // The wall clock stands still with the other one.
        return Double(bitPattern: wallClockLead.load(ordering: .relaxed)) + Double(stopped.nanoseconds) / 1e9
      }
    #endif
    return Syscall.secondsSince1970()
  }

  #if DEBUG
    /// The time at which the clock was stopped, or to which it has been moved since; nil as long as it runs.
    var stopped: MonotonicTime? {
      let nanoseconds = stoppedClock.load(ordering: .acquiring)
      return nanoseconds > 0 ? MonotonicTime(nanoseconds: nanoseconds) : nil
    }

    /// Stops the loop's clocks: from now on only `advance` moves them. For tests, in which the time is what they say; release builds have
    /// no such thing.
    package func stopClock() {
      let moment = MonotonicTime.now().nanoseconds
      let lead = Syscall.secondsSince1970() - Double(moment) / 1e9
      wallClockLead.store(lead.bitPattern, ordering: .relaxed)
      stoppedClock.store(moment, ordering: .releasing)
      // The loop's thread may be asleep until a timer is due by the other clock.
      enqueue {}
    }

    /// Moves the stopped clocks on once the bytes in the sockets are read and this thread's jobs are done, and fires the
    /// timers due by then on this thread, not in loop context, before it returns. Timers that become due by their work
    /// are fired, too.
    package func advance(by duration: Duration) {
      precondition(stopped != nil && !isHeld, "the clock goes by itself, or another thread has to move it")
      // Between two jobs the loop's thread looks at its sockets; a third one, since the first may be done without it.
      for _ in 0..<3 {
        let earlier = Awaited(on: self)
        earlier.wait { enqueue { earlier.happen() } }
      }
      let (seconds, attoseconds) = duration.components
      stoppedClock.add(
        UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000), ordering: .acquiringAndReleasing)
      withLoop {
        // One that sets itself again for the same moment would never end.
        for _ in 0..<1000 {
          guard let earliest = held.timers.earliest, earliest <= now else { break }
          fireTimers()
        }
      }
    }
  #endif
}
