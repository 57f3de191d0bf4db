// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

/// The events on their way to the listeners of one queue, in order. Those that come while the queue is still to get to the earlier
/// ones go with them: to wake a thread for each would take longer than most listeners do.
final class EventOutbox<Listener: Sendable>: Sendable {
  private struct Event: Sendable {
    let listener: Listener
    let tell: @Sendable (Listener) -> Void
  }

  private struct State {
    var events: [Event?] = []
    /// The threads that have yet to put their block into the queue.
    var late = 0
    /// Memory for the events that come next.
    var spare: [Event?] = []
  }

  /// More events than a few requests have leave no memory behind.
  private static var spareLimit: Int { 64 }

  let queue: DispatchQueue
  private let state = Locked(State())

  init(queue: DispatchQueue) { self.queue = queue }

  func put(_ tell: @escaping @Sendable (Listener) -> Void, for listener: Listener) {
    let needsBlock = state.withLock { state in
      state.events.append(Event(listener: listener, tell: tell))
      // While another thread's block may not be there yet, work that is put behind this event could come before it.
      guard state.events.count == 1 || state.late > 0 else { return false }
      state.late += 1
      return true
    }
    guard needsBlock else { return }
    // Without the lock, which the thread that wakes takes first of all.
    queue.async { self.deliver() }
    state.withLock { $0.late -= 1 }
  }

  private func deliver() {
    var events: [Event?] = []
    state.withLock { state in
      swap(&events, &state.events)
      swap(&state.events, &state.spare)
    }
    for index in events.indices {
      // Let go of at once: an event may hold a piece of a body.
      if let event = events[index].take() { event.tell(event.listener) }
    }
    guard events.count <= Self.spareLimit else { return }
    events.removeAll(keepingCapacity: true)
    state.withLock { swap(&events, &$0.spare) }
  }
}
