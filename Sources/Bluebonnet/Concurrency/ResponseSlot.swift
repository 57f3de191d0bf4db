import BluebonnetLocks

/// A response that may not be there yet, for any number of waiting tasks.
@usableFromInline
struct ResponseSlot<Response: Sendable>: Sendable {
  /// Where it waits: in the job that makes it, which spares an object.
  let untyped: UntypedSlot

  /// - Parameter job: One that fills itself with such responses and with nothing else.
  init(of job: UntypedSlot) { untyped = job }

  /// Waits; the request is cancelled if the waiting task is.
  @usableFromInline
  func box(cancelling request: (any Cancellable)?) async -> ResponseBox<Response> {
    // Its job fills it with such responses, and nothing else.
    unsafeDowncast(await untyped.box(cancelling: request), to: ResponseBox<Response>.self)
  }
}

/// A response on its way to whoever waits: passing it on costs a reference instead of a copy of all it holds.
@usableFromInline
final class ResponseBox<Response: Sendable>: Sendable {
  @usableFromInline let response: Response

  init(_ response: Response) {
    self.response = response
  }
}

/// What is cancelled when nobody waits for it any more.
@usableFromInline
protocol Cancellable: AnyObject, Sendable {
  @discardableResult func cancel() -> Self
}

// @unchecked: not final, but what is stored here is a lock.
/// The part of a slot that does not depend on the response's type, so that no metadata for it is made at run time.
class UntypedSlot: @unchecked Sendable {
  typealias Box = any AnyObject & Sendable

  private enum State {
    case empty
    case awaited(UnsafeContinuation<Box, Never>, others: [UnsafeContinuation<Box, Never>])
    case full(Box)
  }

  private let state = Locked(State.empty)

  /// Resumes whoever waits, directly: the only wake-up on a request's way out.
  final func fill(with box: Box) {
    let waiting = state.withLock { state -> State in
      let old = state
      guard case .full = old else {
        state = .full(box)
        return old
      }
      return .empty
    }
    guard case .awaited(let first, let others) = waiting else { return }
    first.resume(returning: box)
    for continuation in others { continuation.resume(returning: box) }
  }

  final func box(cancelling request: (any Cancellable)?) async -> Box {
    guard let request else { return await box }
    return await withTaskCancellationHandler {
      await box
    } onCancel: {
      request.cancel()
    }
  }

  private final var box: Box {
    get async {
      // Unsafe as to misuse only: under the lock a continuation is either resumed here or stored, and
      // `fill` takes the stored ones out before it resumes each once.
      await withUnsafeContinuation { continuation in
        let ready = state.withLock { state -> Box? in
          switch state {
          case .full(let box):
            return box
          case .empty:
            state = .awaited(continuation, others: [])
          case .awaited(let first, let others):
            state = .awaited(first, others: others + [continuation])
          }
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    }
  }
}
