// SPDX-License-Identifier: MIT

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
