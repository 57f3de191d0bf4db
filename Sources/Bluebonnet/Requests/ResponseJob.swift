// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import Synchronization

/// The object to cancel when no task waits for it any more.
@usableFromInline
protocol Cancellable: AnyObject, Sendable {
  @discardableResult func cancel() -> Self
}

// @unchecked: a request serves its jobs one at a time, and every change of thread between two calls goes
// through the request's lock or a queue.
/// One response handler of a request: turns what arrived into a response, and hands it out when its turn
/// has come, to any number of waiting tasks or to a closure. It does not depend on the response's type, so that no
/// metadata for it is made at run time.
@usableFromInline
class ResponseJob: @unchecked Sendable {
  private typealias Waiter = UnsafeContinuation<Void, Never>

  /// Bodies below this size are serialized where they arrive when the serializer is the library's own:
  /// the hop to a queue and back would take longer than the work.
  static let inlineLimit = 64 * 1024

  // Exclusivity goes unchecked at run time: a job is served by one thread at a time.
  /// The input of serialization; it belongs to the response afterwards.
  @exclusivity(unchecked) final private(set) var outcome: RequestOutcome?
  /// Seconds that the serializer took.
  final var serializationDuration: TimeInterval = 0

  /// Takes the input of serialization.
  final func take(_ outcome: consuming RequestOutcome) { self.outcome = outcome }

  /// Gives the input back, before another attempt.
  final func takeOutcome() -> RequestOutcome? { outcome.take() }

  /// Whether `serialize` takes so little time, and runs no code but the library's, that it need not
  /// leave the loop.
  func isQuick(for bodyCount: Int) -> Bool { false }

  /// Makes the response. An error is one that a retrier may be asked about.
  func serialize() -> RequestOutcome.Failure? { nil }

  /// Tells the monitors about the response that `serialize` made.
  func announce(to observer: CompositeEventMonitor, of request: Request) {}

  /// Puts the retrier's error in place of the response's own.
  func replaceError(with error: AFError) {}

  /// The queue of the handler, if it runs on one.
  var queue: DispatchQueue? { nil }

  /// Whether it has a handler, which is told to the session when it has returned; otherwise a task waits.
  final let runsHandler: Bool

  init(runsHandler: Bool) { self.runsHandler = runsHandler }

  /// Hands the response to its waiter.
  ///
  /// - Parameters:
  ///   - context: The session's part, to be told when a handler has returned.
  ///   - done: Called then, too.
  func deliver(in context: SessionContext, then done: (@Sendable () -> Void)?) { done?() }

  // MARK: Waiting tasks

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

// @unchecked: see ResponseJob; adds immutable properties only.
/// The last event of a handler that has heard of parts: there is nothing to serialize.
final class EndJob: ResponseJob, @unchecked Sendable {
  private let handlersQueue: DispatchQueue?
  private let end: @Sendable (_ done: (@Sendable () -> Void)?) -> Void

  init(queue: DispatchQueue?, _ end: @escaping @Sendable (_ done: (@Sendable () -> Void)?) -> Void) {
    handlersQueue = queue
    self.end = end
    super.init(runsHandler: true)
  }

  override func isQuick(for bodyCount: Int) -> Bool { true }

  override var queue: DispatchQueue? { handlersQueue }

  override func deliver(in context: SessionContext, then done: (@Sendable () -> Void)?) {
    end {
      done?()
      context.handlerReturned()
    }
  }
}
