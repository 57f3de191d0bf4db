import BluebonnetFoundation

/// What to do about a request that failed.
public enum RetryResult: Sendable {
  /// Try again at once.
  case retry
  /// Try again after so many seconds.
  case retryWithDelay(TimeInterval)
  /// Leave it failed.
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
public protocol RequestRetrier: Sendable {
  /// Judges a failure.
  ///
  /// - Parameters:
  ///   - request:    The request that failed.
  ///   - session:    The session it belongs to.
  ///   - error:      Why it failed, usually an `AFError`.
  ///   - completion: Takes the verdict, once, on any thread.
  @preconcurrency
  func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void)
}
