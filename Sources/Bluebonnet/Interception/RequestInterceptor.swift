import BluebonnetFoundation
import BluebonnetURLLoading

/// An adapter and a retrier in one. Either half may be left out: by default nothing is changed, and
/// nothing is tried again.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
  /// Changes nothing.
  @preconcurrency
  public func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    completion(.success(urlRequest))
  }

  /// Gives up.
  @preconcurrency
  public func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    completion(.doNotRetry)
  }
}

/// A closure that adapts.
public typealias AdaptHandler =
  @Sendable (
    _ request: URLRequest, _ session: Session,
    _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) -> Void

/// A closure that decides about a retry.
public typealias RetryHandler =
  @Sendable (
    _ request: Request, _ session: Session, _ error: any Error,
    _ completion: @escaping @Sendable (RetryResult) -> Void
  ) -> Void
