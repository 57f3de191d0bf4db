// SPDX-License-Identifier: MIT
import Synchronization

#if DEBUG
  import BluebonnetLibc

  /// A value under a mutex: the same as `Mutex` of the module `Synchronization`, in a form that ThreadSanitizer understands.
  ///
  /// A contended `Mutex` is taken inside the Swift runtime, without instrumentation, so that the sanitizer does not see
  /// the order of the threads. `pthread_mutex_lock` it knows. Optimised builds use `Mutex` itself, without an allocation.
  ///
  /// `@unchecked Sendable`: the pointers never change, `value` is touched only while `mutex` is held, and `mutex` only by
  /// pthread's own thread-safe functions.
  package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initialValue: consuming sending Value) {
      mutex = .allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      value = .allocate(capacity: 1)
      value.initialize(to: initialValue)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    /// Runs `body` while no other thread does so with this value. Not to be called from within `body`.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      nonisolated(unsafe) let value = self.value
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }

    /// Runs `body` unless another thread does so with this value, and then gives nil.
    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
      nonisolated(unsafe) let value = self.value
      guard pthread_mutex_trylock(mutex) == 0 else { return nil }
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
#else
  /// A value under a mutex. Debug builds, and with them the sanitizers', have one that ThreadSanitizer understands.
  package typealias Locked<Value: ~Copyable> = Mutex<Value>
#endif
