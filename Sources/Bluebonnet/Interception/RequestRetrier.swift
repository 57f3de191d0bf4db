// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Decides whether a failed request is tried again.
///
/// Called on the session's ``Session/requestQueue``, or on its ``Session/rootQueue`` if that was passed; the request waits for
/// the answer, without a limit of time.
public protocol RequestRetrier: Sendable {
  /// Decides about a failure.
  ///
  /// - Parameters:
  ///   - request:    The request that failed.
  ///   - session:    The session it belongs to.
  ///   - error:      The reason, usually an `AFError`.
  ///   - completion: Takes the decision, once, on any thread.
  @preconcurrency
  func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void)
}

/// The decision about a request that failed.
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
  var delay: TimeInterval? {
    if case .retryWithDelay(let delay) = self { delay } else { nil }
  }

  var error: (any Error)? {
    if case .doNotRetryWithError(let error) = self { error } else { nil }
  }
}

extension Array where Element == any RequestRetrier {
  /// Asks one retrier after the other, from one of them on, until one answers anything but ``RetryResult/doNotRetry``.
  func retry(
    _ request: Request, for session: Session, dueTo error: any Error, from index: Int = 0,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    guard index < count else { return completion(.doNotRetry) }
    let retrier = self[index]
    let first = SingleAnswer()
    retrier.retry(request, for: session, dueTo: error) { result in
      guard first.take() else {
        return QuestionSubject.retry.reportIgnoredAnswer(
          by: "\(type(of: retrier))", about: request.request?.url?.shown)
      }
      guard case .doNotRetry = result else { return completion(result) }
      retry(request, for: session, dueTo: error, from: index + 1, completion: completion)
    }
  }
}
