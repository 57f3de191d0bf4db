// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// A timer for a deadline that mostly moves on: it goes off at the earliest one it was set to, where it is set to the next.
struct DeadlineTimer {
  private var token: TimerToken?
  private var deadline = MonotonicTime.distantFuture

  /// Whether it need not be set to this deadline.
  @inline(__always)
  func goesOff(by deadline: MonotonicTime) -> Bool { token != nil && self.deadline <= deadline }

  @inline(__always)
  mutating func set(to deadline: MonotonicTime, on loop: EventLoop, _ action: @escaping () -> Void) {
    cancel(on: loop)
    self.deadline = deadline
    token = loop.schedule(at: deadline, action)
  }

  mutating func wentOff() { token = nil }

  @inline(__always)
  mutating func cancel(on loop: EventLoop) {
    if let token = token.take() { loop.cancel(token) }
  }
}
