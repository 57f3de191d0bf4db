// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: open, with immutable Sendable properties of its own.
/// Several adapters and retriers in a row.
///
/// Adapters see what the one before them made, and the first error ends the row. Retriers are asked until
/// one says anything but `.doNotRetry`.
open class Interceptor: @unchecked Sendable, RequestInterceptor {
  /// The adapters, in the order in which they change the request.
  public let adapters: [any RequestAdapter]
  /// The retriers, in the order in which they are asked.
  public let retriers: [any RequestRetrier]

  /// Makes an interceptor of two closures.
  ///
  /// - Parameters:
  ///   - adaptHandler: Changes each attempt's `URLRequest`.
  ///   - retryHandler: Decides about retries.
  @preconcurrency
  public init(adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler) {
    adapters = [Adapter(adaptHandler)]
    retriers = [Retrier(retryHandler)]
  }

  /// Makes an interceptor of an adapter and a retrier.
  ///
  /// - Parameters:
  ///   - adapter: Changes each attempt's `URLRequest`.
  ///   - retrier: Decides about retries.
  public init(adapter: any RequestAdapter, retrier: any RequestRetrier) {
    adapters = [adapter]
    retriers = [retrier]
  }

  /// Makes an interceptor of many parts.
  ///
  /// - Parameters:
  ///   - adapters:     Come first among the adapters.
  ///   - retriers:     Come first among the retriers.
  ///   - interceptors: Come last among both.
  public init(
    adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
    interceptors: [any RequestInterceptor] = []
  ) {
    self.adapters = adapters + interceptors
    self.retriers = retriers + interceptors
  }

  /// Passes the request from adapter to adapter; the first error ends that.
  @preconcurrency
  open func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    adapters.adapt(urlRequest, with: { $0.adapt($1, for: session, completion: $2) }, completion: completion)
  }

  /// Passes the request from adapter to adapter, each with `state`; the first error ends that.
  @preconcurrency
  open func adapt(
    _ urlRequest: URLRequest, using state: RequestAdapterState,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    adapters.adapt(urlRequest, with: { $0.adapt($1, using: state, completion: $2) }, completion: completion)
  }

  /// Asks one retrier after the other, until one answers anything but ``RetryResult/doNotRetry``.
  @preconcurrency
  open func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    retriers.retry(request, for: session, dueTo: error, completion: completion)
  }
}

extension RequestInterceptor where Self == Interceptor {
  /// An interceptor made of two closures.
  ///
  /// - Parameters:
  ///   - adapter: Changes each attempt's request.
  ///   - retrier: Decides about another attempt.
  /// - Returns: The interceptor. Both closures are called on the session's `requestQueue`.
  @preconcurrency
  public static func interceptor(
    adapter: @escaping AdaptHandler, retrier: @escaping RetryHandler
  ) -> Interceptor {
    Interceptor(adaptHandler: adapter, retryHandler: retrier)
  }

  /// An interceptor made of an adapter and a retrier.
  public static func interceptor(adapter: any RequestAdapter, retrier: any RequestRetrier) -> Interceptor {
    Interceptor(adapter: adapter, retrier: retrier)
  }

  /// An interceptor made of any number of parts.
  ///
  /// - Parameters:
  ///   - adapters: Come first among the adapters.
  ///   - retriers: Come first among the retriers.
  ///   - interceptors: Come last among both.
  /// - Returns: The interceptor.
  public static func interceptor(
    adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
    interceptors: [any RequestInterceptor] = []
  ) -> Interceptor {
    Interceptor(adapters: adapters, retriers: retriers, interceptors: interceptors)
  }
}
