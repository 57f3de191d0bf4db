import Synchronization

/// A response that may not be there yet, for any number of waiting tasks.
struct ResponseSlot<Response: Sendable>: Sendable {
  private let slot = BoxSlot()

  /// Resumes whoever waits, directly: the only wake-up on a request's way out.
  func fill(with response: Response) {
    slot.fill(with: ResponseBox(response))
  }

  var box: ResponseBox<Response> {
    // Nothing but `fill` puts a box in.
    get async { unsafeDowncast(await slot.box, to: ResponseBox<Response>.self) }
  }

  var response: Response {
    get async { await box.response }
  }
}

/// A response on its way to whoever waits: passing it on costs a reference instead of a copy of all it holds.
final class ResponseBox<Response: Sendable>: Sendable {
  let response: Response

  init(_ response: Response) {
    self.response = response
  }
}

/// The part of a slot that does not depend on the response's type, so that none of it is made at run time.
private final class BoxSlot: Sendable {
  typealias Box = any AnyObject & Sendable

  private enum State {
    case empty
    case awaited(UnsafeContinuation<Box, Never>, others: [UnsafeContinuation<Box, Never>])
    case full(Box)
  }

  private let state = Mutex(State.empty)

  func fill(with box: Box) {
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

  var box: Box {
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
