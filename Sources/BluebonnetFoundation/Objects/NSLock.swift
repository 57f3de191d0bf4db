// SPDX-License-Identifier: MIT
#if !Foundation
  import Dispatch

  // Unchecked: a semaphore is made to be shared.
  /// Lets one thread in at a time.
  public final class NSLock: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 1)

    /// Makes a lock that is open.
    public init() {}

    /// Waits and closes the lock.
    public func lock() { semaphore.wait() }

    /// Opens the lock for the next waiter.
    public func unlock() { semaphore.signal() }

    /// Closes the lock if it is open.
    public func `try`() -> Bool { semaphore.wait(timeout: .now()) == .success }

    /// Runs `body` while the lock is closed.
    public func withLock<R>(_ body: () throws -> R) rethrows -> R {
      lock()
      defer { unlock() }
      return try body()
    }
  }
#endif
