import Synchronization

/// A response that may not be there yet, for any number of waiting tasks.
final class ResponseSlot<Response: Sendable>: Sendable {
  private enum State {
    case empty
    case awaited(UnsafeContinuation<Response, Never>, others: [UnsafeContinuation<Response, Never>])
    case full(Response)
  }

  private let state = Mutex(State.empty)

  /// Resumes whoever waits, directly: the only wake-up on a request's way out.
  func fill(with response: Response) {
    let waiting = state.withLock { state -> State in
      let old = state
      guard case .full = old else {
        state = .full(response)
        return old
      }
      return .empty
    }
    guard case .awaited(let first, let others) = waiting else { return }
    first.resume(returning: response)
    for continuation in others { continuation.resume(returning: response) }
  }

  var response: Response {
    get async {
      // Unsafe as to misuse only: under the lock a continuation is either resumed here or stored, and
      // `fill` takes the stored ones out before it resumes each once.
      await withUnsafeContinuation { continuation in
        let ready = state.withLock { state -> Response? in
          switch state {
          case .full(let response):
            return response
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
