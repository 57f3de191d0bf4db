// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// An adapter's further information beside the `URLRequest`.
public struct RequestAdapterState: Sendable {
  /// The `id` of the request that is being set up.
  public let requestID: UUID
  /// The session that will send the request.
  public let session: Session
}

/// Changes `URLRequest`s before they are sent, on every attempt.
///
/// Called on the session's ``Session/requestQueue``; the request waits for the answer, without a limit of time.
public protocol RequestAdapter: Sendable {
  /// Looks at a `URLRequest` and answers with it, a changed one or an error.
  ///
  /// - Parameters:
  ///   - urlRequest: The request so far.
  ///   - session:    The session that will send it.
  ///   - completion: Takes the answer, once, on any thread.
  @preconcurrency
  func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void)

  /// The same with more to know. Sessions call this one; by default it calls the other.
  ///
  /// - Parameters:
  ///   - urlRequest: The request so far.
  ///   - state:      The circumstances.
  ///   - completion: Takes the answer, once, on any thread.
  @preconcurrency
  func adapt(
    _ urlRequest: URLRequest, using state: RequestAdapterState,
    completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void)
}

extension RequestAdapter {
  /// Calls ``RequestAdapter/adapt(_:for:completion:)`` with the state's session.
  @preconcurrency
  public func adapt(
    _ urlRequest: URLRequest, using state: RequestAdapterState,
    completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
  ) {
    adapt(urlRequest, for: state.session, completion: completion)
  }
}
