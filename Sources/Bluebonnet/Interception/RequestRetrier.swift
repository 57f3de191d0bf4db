import BluebonnetFoundation

/// What to do about a request that failed.
public enum RetryResult: Sendable {
  /// Makes another attempt at once.
  case retry
  /// Makes another attempt after so many seconds.
  case retryWithDelay(TimeInterval)
  /// Makes no other attempt: the request fails with the error it has.
  case doNotRetry
  /// Leave it failed, for a reason of the retrier's own.
  case doNotRetryWithError(any Error)
}

extension RetryResult {
  var retryRequired: Bool {
    switch self {
    case .retry, .retryWithDelay: true
    case .doNotRetry, .doNotRetryWithError: false
    }
  }

  var delay: TimeInterval? {
    if case .retryWithDelay(let delay) = self { delay } else { nil }
  }

  var error: (any Error)? {
    if case .doNotRetryWithError(let error) = self { error } else { nil }
  }
}

/// Decides whether a failed request is tried again.
///
/// Called on the session's ``Session/requestQueue``, or on its ``Session/rootQueue`` if that was passed; the request waits for
/// the answer, without a limit of time.
public protocol RequestRetrier: Sendable {
  /// Decides what is done about a failure.
  ///
  /// - Parameters:
  ///   - request:    The request that failed.
  ///   - session:    The session it belongs to.
  ///   - error:      Why it failed, usually an `AFError`.
  ///   - completion: Takes the decision, once, on any thread.
  @preconcurrency
  func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void)
}
