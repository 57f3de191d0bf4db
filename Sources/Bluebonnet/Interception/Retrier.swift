// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// @unchecked: open, with one immutable Sendable property of its own.
/// A ``RequestRetrier`` made of a closure, called on the session's `requestQueue`.
open class Retrier: @unchecked Sendable, RequestInterceptor {
  private let retryHandler: RetryHandler

  /// Makes a retrier.
  ///
  /// - Parameter retryHandler: Called with each failure; completes with the decision about it.
  @preconcurrency
  public init(_ retryHandler: @escaping RetryHandler) {
    self.retryHandler = retryHandler
  }

  /// Calls the closure that the retrier was made with.
  @preconcurrency
  open func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    retryHandler(request, session, error, completion)
  }
}

extension RequestRetrier where Self == Retrier {
  /// A retrier made of a closure.
  ///
  /// - Parameter closure: Called with each failure; completes with the decision about it.
  /// - Returns: The retrier.
  @preconcurrency
  public static func retrier(using closure: @escaping RetryHandler) -> Retrier {
    Retrier(closure)
  }
}
