// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: open, with one immutable Sendable property of its own.
/// A ``RequestAdapter`` made of a closure, called on the session's `requestQueue`.
open class Adapter: @unchecked Sendable, RequestInterceptor {
  private let adaptHandler: AdaptHandler

  /// Makes an adapter.
  ///
  /// - Parameter adaptHandler: Called with each attempt's `URLRequest`; completes with the request to send.
  @preconcurrency
  public init(_ adaptHandler: @escaping AdaptHandler) {
    self.adaptHandler = adaptHandler
  }

  /// Calls the closure that the adapter was made with.
  @preconcurrency
  open func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    adaptHandler(urlRequest, session, completion)
  }

  /// Calls the form without `state`, which a subclass may have overridden alone.
  @preconcurrency
  open func adapt(
    _ urlRequest: URLRequest, using state: RequestAdapterState,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    adapt(urlRequest, for: state.session, completion: completion)
  }
}

extension RequestAdapter where Self == Adapter {
  /// An adapter made of a closure.
  ///
  /// - Parameter closure: Called with each attempt's `URLRequest`; completes with the request to send.
  /// - Returns: The adapter.
  @preconcurrency
  public static func adapter(using closure: @escaping AdaptHandler) -> Adapter {
    Adapter(closure)
  }
}
