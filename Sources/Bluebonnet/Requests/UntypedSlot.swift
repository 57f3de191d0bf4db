import BluebonnetLocks
import Synchronization

/// The object to cancel when no task waits for it any more.
@usableFromInline
protocol Cancellable: AnyObject, Sendable {
  @discardableResult func cancel() -> Self
}

// @unchecked: not final, but the members stored here are a lock and an atomic.
/// A slot that may not be full yet, for any number of waiting tasks. It does not depend on the response's type, so that no
/// metadata for it is made at run time.
@usableFromInline
class UntypedSlot: @unchecked Sendable {
  typealias Waiter = UnsafeContinuation<Void, Never>

  private let waiters = Locked(SmallArray<Waiter>())
  /// Set under the lock of `waiters`. A thread that reads `true` here sees all that was written before.
  private let isFull = Atomic(false)

  /// Resumes the waiting tasks, directly: the only wake-up on a request's way out.
  final func fill() {
    let waiting = waiters.withLock { waiters -> SmallArray<Waiter> in
      isFull.store(true, ordering: .releasing)
      defer { waiters = SmallArray() }
      return waiters
    }
    waiting.forEach { $0.resume() }
  }

  // Here and below on the caller's executor: each change of it on the way costs as much as the wait itself.
  /// Waits until it is full; the request is cancelled if the waiting task is.
  @usableFromInline
  nonisolated(nonsending) final func wait(cancelling request: (any Cancellable)?) async {
    guard let request else { return await wait() }
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      request.cancel()
    }
  }

  private nonisolated(nonsending) final func wait() async {
    while !isFull.load(ordering: .acquiring) {
      // Unsafe as to misuse only: under the lock a continuation is either resumed here or stored, and
      // `fill` takes the stored ones out before it resumes each once.
      await withUnsafeContinuation { (continuation: Waiter) in
        let isLate = waiters.withLock { waiters in
          if isFull.load(ordering: .relaxed) { return true }
          waiters.append(continuation)
          return false
        }
        if isLate { continuation.resume() }
      }
    }
  }
}
