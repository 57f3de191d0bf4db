// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Testing

#if DEBUG
  extension EventLoop {
    /// A loop of its own, whose clock stands still. Whoever has made it stops it.
    package static func stopped() -> EventLoop {
      let loop = EventLoop(name: "stopped")
      loop.stopClock()
      return loop
    }

    /// Moves the stopped clock on, step by step, until `condition` holds. Then the time that it took depends on how busy the machine is:
    /// for what must happen some time, in a test that does not say when.
    package func advance(
      by step: Duration, until what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
      _ condition: @Sendable () -> Bool
    ) async {
      await Eventually.expect(what, sourceLocation: sourceLocation) {
        if !condition() { advance(by: step) }
        return condition()
      }
    }
  }
#endif
