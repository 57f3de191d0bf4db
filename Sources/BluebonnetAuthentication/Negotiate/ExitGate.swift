// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Keeps the process from ending while a thread is inside a library that its finalizer would break: libkrb5
/// destroys its mutexes at exit, and aborts in a thread that takes one then.
///
///     open ──pass──▶ inside ──▶ open
///       └──close, no thread inside──▶ closed
struct ExitGate: Sendable {
  // Unsafe only as a pointer: it never changes, and what it points to is made for several threads.
  private nonisolated(unsafe) let lock: UnsafeMutablePointer<pthread_rwlock_t>

  /// It stays for ever.
  init() {
    lock = .allocate(capacity: 1)
    pthread_rwlock_init(lock, nil)
  }

  /// Does something that must not be cut off by the process's end; any number of threads may at once.
  ///
  /// - Returns: nil if the process is ending.
  @discardableResult func pass<Result>(_ work: () -> Result) -> Result? {
    guard pthread_rwlock_tryrdlock(lock) == 0 else { return nil }
    defer { pthread_rwlock_unlock(lock) }
    return work()
  }

  /// Lets no thread in any more, and waits for those inside.
  ///
  /// - Parameter seconds: For how long it waits.
  /// - Returns: Whether no thread is inside.
  func close(within seconds: Int) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += seconds
    return pthread_rwlock_timedwrlock(lock, &end) == 0
  }

  /// The process's gate. It is closed before libraries are finalized, because the function registered last is called first.
  static let shared: ExitGate = {
    let gate = ExitGate()
    on_exit(
      { status, _ in
        if ExitGate.shared.close(within: 1) { return }
        // A Kerberos server keeps silent. The threads waiting for it are left behind with everything as it is.
        fflush(nil)
        _exit(status)
      }, nil)
    return gate
  }()
}
