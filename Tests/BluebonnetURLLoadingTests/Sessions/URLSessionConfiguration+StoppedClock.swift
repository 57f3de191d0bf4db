import BluebonnetEventLoop

@testable import BluebonnetURLLoading

extension URLSessionConfiguration {
  /// Gives the sessions of this configuration a loop of their own, whose clock is the test's. It ends with them.
  func stopClock() -> BluebonnetEventLoop.EventLoop {
    eventLoop = EventLoop(name: "stopped")
    eventLoop.loop.stopClock()
    return eventLoop.loop
  }
}
