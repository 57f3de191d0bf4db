// SPDX-License-Identifier: MIT
import BluebonnetFoundation

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
