// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// An adapter and a retrier in one. Either half may be left out: by default nothing is changed, and
/// nothing is tried again.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
  /// Completes with the request as it is. Implement it to change requests.
  @preconcurrency
  public func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    completion(.success(urlRequest))
  }

  /// Completes with ``RetryResult/doNotRetry``. Implement it to try failed requests again.
  @preconcurrency
  public func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    completion(.doNotRetry)
  }
}

/// A closure that does what ``RequestAdapter/adapt(_:for:completion:)`` does. Called on the session's `requestQueue`;
/// must call its completion once, on any thread.
public typealias AdaptHandler =
  @Sendable (
    _ request: URLRequest, _ session: Session,
    _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) -> Void

/// A closure that does what ``RequestRetrier/retry(_:for:dueTo:completion:)`` does. Called on the session's `requestQueue`, or on
/// its `rootQueue` if that was passed; must call its completion once, on any thread.
public typealias RetryHandler =
  @Sendable (
    _ request: Request, _ session: Session, _ error: any Error,
    _ completion: @escaping @Sendable (RetryResult) -> Void
  ) -> Void
