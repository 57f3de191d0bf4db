import BluebonnetLocks

/// What is cancelled when nobody waits for it any more.
@usableFromInline
protocol Cancellable: AnyObject, Sendable {
  @discardableResult func cancel() -> Self
}

// @unchecked: not final, but what is stored here is a lock.
/// What may not be full yet, for any number of waiting tasks. It does not depend on the response's type, so that no
/// metadata for it is made at run time.
@usableFromInline
class UntypedSlot: @unchecked Sendable {
  typealias Waiter = UnsafeContinuation<Void, Never>

  private enum State {
    case empty
    case awaited(Waiter, others: [Waiter])
    case full
  }

  private let state = Locked(State.empty)

  /// Resumes whoever waits, directly: the only wake-up on a request's way out.
  final func fill() {
    let waiting = state.withLock { state -> State in
      defer { state = .full }
      return state
    }
    guard case .awaited(let first, let others) = waiting else { return }
    first.resume()
    for continuation in others { continuation.resume() }
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
    // Unsafe as to misuse only: under the lock a continuation is either resumed here or stored, and
    // `fill` takes the stored ones out before it resumes each once.
    await withUnsafeContinuation { (continuation: Waiter) in
      let isFull = state.withLock { state in
        switch state {
        case .full: return true
        case .empty: state = .awaited(continuation, others: [])
        case .awaited(let first, let others): state = .awaited(first, others: others + [continuation])
        }
        return false
      }
      if isFull { continuation.resume() }
    }
  }
}
