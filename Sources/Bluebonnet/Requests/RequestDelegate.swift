// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// A request's questions to the session that made it.
public protocol RequestDelegate: AnyObject, Sendable {
  /// The configuration of the session that made the request.
  var sessionConfiguration: URLSessionConfiguration { get }

  /// Whether the first response handler starts a request that has no opinion of its own.
  var startImmediately: Bool { get }

  /// The request has been resumed for the first time and wants its task.
  func readyToPerform(request: Request)

  /// The request is over; nothing more will be asked for it.
  func cleanup(after request: Request)

  /// Asks whether to try again.
  ///
  /// - Parameters:
  ///   - request:    The request that failed.
  ///   - error:      Why it failed.
  ///   - completion: Takes the answer, once, on any thread.
  func retryResult(
    for request: Request, dueTo error: AFError, completion: @escaping @Sendable (RetryResult) -> Void)

  /// Starts another attempt.
  ///
  /// - Parameters:
  ///   - request:   The request that failed.
  ///   - timeDelay: Seconds to wait first.
  func retryRequest(_ request: Request, withDelay timeDelay: TimeInterval?)
}
