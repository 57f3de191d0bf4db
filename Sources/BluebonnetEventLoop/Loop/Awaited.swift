// SPDX-License-Identifier: MIT
import BluebonnetLocks
import Synchronization

/// Something that a thread outside the loop waits for, and drives the loop meanwhile if that has no thread of its own.
package final class Awaited: Sendable {
  private let loop: EventLoop
  private let isOver = Atomic(false)
  /// A thread of the loop's own keeps the seat, so that others only wait.
  private let seat: DriverSeat

  package init(on loop: EventLoop) {
    self.loop = loop
    seat = loop.seat ?? DriverSeat()
  }

  var hasHappened: Bool { isOver.load(ordering: .acquiring) }

  /// It has happened. On any thread; only the first call counts.
  package func happen() {
    isOver.store(true, ordering: .releasing)
    // A driver that is in the middle of a turn, this thread perhaps, looks afterwards.
    loop.wakeDriver()
    seat.tell()
  }

  /// Runs `begin`, in loop context if this thread is going to drive, and waits until it has happened.
  ///
  /// The caller must not hold the loop: it would wait for itself.
  package func wait(_ begin: () -> Void) {
    precondition(!loop.isHeld, "this thread runs the event loop: it would wait for itself")
    if loop.seat == nil {
      begin()
    } else if seat.take() {
      drive(begin)
    } else {
      begin()
      // The driver may leave before it has happened.
      if seat.take(unless: { hasHappened }) { drive {} }
    }
    // Another thread drives, or none has to any more: a loop that has been stopped has no use for a driver.
    seat.wait { hasHappened }
  }

  /// This thread has the seat.
  private func drive(_ begin: () -> Void) {
    let leavesJobs = loop.drive(begin) { hasHappened }
    // First, so that another thread may drive while this one does the jobs left over.
    seat.leave()
    if leavesJobs { loop.visit() }
  }
}

extension Awaited {
  /// Waits for a value, of which `begin` sees to it that `answer` is called with it, once, on any thread.
  @inlinable @inline(__always)
  package static func value<Value: Sendable>(
    on loop: EventLoop, _ begin: (_ answer: @escaping @Sendable (Value) -> Void) -> Void
  ) -> Value {
    let awaited = Awaited(on: loop)
    let outcome = Locked<Value?>(nil)
    awaited.wait {
      begin { value in
        outcome.withLock { $0 = value }
        awaited.happen()
      }
    }
    guard let value = outcome.withLock({ $0 }) else { preconditionFailure("a completed wait has a value") }
    return value
  }
}
