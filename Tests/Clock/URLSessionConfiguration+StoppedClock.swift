// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetURLLoading

#if DEBUG
  extension URLSessionConfiguration {
    /// Gives the sessions of this configuration a loop of their own, whose clock is the test's. It ends with them.
    package func stopClock() -> BluebonnetEventLoop.EventLoop {
      self.eventLoop = EventLoop(name: "stopped")
      self.eventLoop.loop.stopClock()
      return self.eventLoop.loop
    }
  }
#endif
