// SPDX-License-Identifier: MIT
import CBluebonnetLinux

/// Room for the events of one `epoll_wait`. Belongs to the loop's thread alone.
struct EventBatch: ~Copyable {
  private let events: UnsafeMutableBufferPointer<epoll_event>
  private(set) var count = 0

  init(capacity: Int) {
    events = .allocate(capacity: capacity)
    events.initialize(repeating: epoll_event())
  }

  deinit {
    events.deallocate()
  }

  /// Sleeps until there are events or the time is over; no time means for as long as it takes.
  mutating func wait(on poller: Int32, milliseconds: Int32) {
    // A failure could only mean that the poller is closed, this thread's own last deed.
    count = (try? Syscall.epollWait(poller, events, milliseconds: milliseconds)) ?? 0
  }

  /// Forgets the events.
  mutating func clear() { count = 0 }

  /// The event's registration and what happened.
  func event(at index: Int) -> (registration: Registration, readiness: Readiness) {
    let event = events[index]
    return (Registration(userData: event.data.u64), Readiness(epollEvents: event.events))
  }
}
