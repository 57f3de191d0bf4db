// SPDX-License-Identifier: MIT
import BluebonnetLibc
import Synchronization

/// The right to drive a loop that has no thread of its own, among the threads waiting for it. One drives; the others sleep until
/// their event has happened, or the seat is free.
///
/// `@unchecked Sendable`: `isTaken` and `sleepers` are guarded by `mutex`.
final class DriverSeat: @unchecked Sendable {
  private let mutex = AdaptiveMutex()
  /// Unsafe only as a pointer: it never changes, and what it points to is only touched by pthread's own thread-safe functions.
  nonisolated(unsafe) private let change: UnsafeMutablePointer<pthread_cond_t>
  private var isTaken = false
  private var sleepers = 0
  /// For a look without the mutex.
  private let occupancy = Atomic(false)

  init() {
    change = .allocate(capacity: 1)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    change.deallocate()
  }

  /// Whether a thread drives, or is about to.
  var isOccupied: Bool { occupancy.load(ordering: .acquiring) }

  /// Takes the seat if it is free. Otherwise the caller is waited for, until its `take(unless:)`.
  func take() -> Bool {
    locked {
      if isTaken {
        sleepers += 1
        return false
      }
      isTaken = true
      return true
    }
  }

  /// Waits until the seat is free, which it was not, and takes it.
  ///
  /// - Returns: false if the wait was for something that `isDone` says has happened.
  func take(unless isDone: () -> Bool) -> Bool {
    locked {
      defer { sleepers -= 1 }
      while isTaken, !isDone() { mutex.wait(for: change) }
      if isDone() { return false }
      isTaken = true
      return true
    }
  }

  /// Waits for an event, while another thread drives.
  func wait(until isDone: () -> Bool) {
    locked {
      sleepers += 1
      while !isDone() { mutex.wait(for: change) }
      sleepers -= 1
    }
  }

  func leave() {
    locked {
      isTaken = false
      if sleepers > 0 { pthread_cond_broadcast(change) }
    }
  }

  /// An event has happened that a thread may wait for.
  func tell() {
    locked { if sleepers > 0 { pthread_cond_broadcast(change) } }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    mutex.withLock {
      defer { occupancy.store(isTaken || sleepers > 0, ordering: .releasing) }
      return body()
    }
  }
}
