// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// A mutex that spins for a moment before it sleeps, for sections that last about as long as a system call.
///
final class AdaptiveMutex: Sendable {
  /// Unsafe only as a pointer: it never changes, and what it points to is only touched by pthread's own thread-safe functions.
  nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() {
    pthread_mutex_lock(mutex)
  }

  func tryLock() -> Bool {
    pthread_mutex_trylock(mutex) == 0
  }

  func unlock() {
    pthread_mutex_unlock(mutex)
  }

  /// Lets go of the mutex until the condition is signalled, or for no reason, and takes it again.
  func wait(for condition: UnsafeMutablePointer<pthread_cond_t>) {
    pthread_cond_wait(condition, mutex)
  }

  @inline(__always)
  func withLock<R>(_ body: () -> R) -> R {
    lock()
    defer { unlock() }
    return body()
  }
}
