import BluebonnetLocks

/// A response that may not be there yet, for any number of waiting tasks or on its way to a handler: passing it on costs a
/// reference instead of a copy of all it holds.
// Unchecked: the response is set by whoever makes it before it is handed out, which goes through a lock or a queue.
@usableFromInline
final class ResponseSlot<Response: Sendable>: UntypedSlot, @unchecked Sendable {
  // Exclusivity goes unchecked at run time: it is set by one thread, before any other knows of it.
  @exclusivity(unchecked) private(set) var made: Response?

  /// Sets the response, or puts another one in its place before it is handed out.
  func make(_ response: consuming Response) { made = response }

  /// The response, once there is one.
  @usableFromInline var response: Response {
    guard let made else { preconditionFailure("a slot is read behind `fill`") }
    return made
  }

  /// Waits; the request is cancelled if the waiting task is.
  @usableFromInline
  func filled(cancelling request: (any Cancellable)?) async -> ResponseSlot<Response> {
    await wait(cancelling: request)
    return self
  }
}

/// What is cancelled when nobody waits for it any more.
@usableFromInline
protocol Cancellable: AnyObject, Sendable {
  @discardableResult func cancel() -> Self
}

/// The part of a slot that does not depend on the response's type, so that no metadata for it is made at run time.
// Unchecked: see the subclass; this part is a lock.
@usableFromInline
class UntypedSlot: @unchecked Sendable {
  private enum State {
    case empty
    case awaited(UnsafeContinuation<Void, Never>, others: [UnsafeContinuation<Void, Never>])
    case full
  }

  private let state = Locked(State.empty)

  init() {}

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

  final func wait(cancelling request: (any Cancellable)?) async {
    guard let request else { return await wait() }
    return await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      request.cancel()
    }
  }

  private final func wait() async {
    // Unsafe as to misuse only: under the lock a continuation is either resumed here or stored, and
    // `fill` takes the stored ones out before it resumes each once.
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
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
