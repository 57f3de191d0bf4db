import BluebonnetFoundation
import BluebonnetLocks
import Synchronization

// @unchecked: see ResponseJob.
/// A job with what it has made: whoever waits for that, or is handed it, holds the job, which spares an object on the way.
///
/// - Parameter Made: An optional. As a parameter it is at hand where the job is let go of; what a class has to put together
///   of its parameters there is looked up at run time.
@usableFromInline
class ResponseSlot<Made: Sendable>: ResponseJob, @unchecked Sendable {
  private let route: DeliveryRoute

  // Exclusivity goes unchecked at run time: it is written by the one thread that serves the job, before the job is full
  // or on its way to a queue, and only read from then on.
  @usableFromInline @exclusivity(unchecked) final var made: Made

  init(empty: consuming Made, _ route: DeliveryRoute) {
    made = empty
    self.route = route
  }

  final override var queue: DispatchQueue? {
    if case .queue(let queue, _) = route { queue } else { nil }
  }

  // `done` follows the handler on its queue, because nothing that is put there later is sure to run later, or at all
  // before other handlers have ended: the queue is the caller's.
  final override func deliver(then done: (@Sendable () -> Void)?) {
    switch route {
    case .queue(let queue, let handler):
      queue.async {
        handler(self)
        done?()
      }
    case .slot:
      fill()
      done?()
    }
  }
}

/// What is cancelled when nobody waits for it any more.
@usableFromInline
protocol Cancellable: AnyObject, Sendable {
  @discardableResult func cancel() -> Self
}

// @unchecked: not final, but what is stored here is a lock and an atomic.
/// What may not be full yet, for any number of waiting tasks. It does not depend on the response's type, so that no
/// metadata for it is made at run time.
@usableFromInline
class UntypedSlot: @unchecked Sendable {
  typealias Waiter = UnsafeContinuation<Void, Never>

  private let waiters = Locked(Few<Waiter>())
  /// Set under the lock of `waiters`. Whoever reads `true` here sees all that was written before.
  private let isFull = Atomic(false)

  /// Resumes whoever waits, directly: the only wake-up on a request's way out.
  final func fill() {
    let waiting = waiters.withLock { waiters -> Few<Waiter> in
      isFull.store(true, ordering: .releasing)
      defer { waiters = Few() }
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
