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

extension Array where Element == any RequestAdapter {
  /// Asks one adapter in the one form or the other.
  typealias Step =
    @Sendable (
      any RequestAdapter, URLRequest, @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) -> Void

  /// Passes a request from adapter to adapter, from one of them on; the first error ends that.
  func adapt(
    _ urlRequest: URLRequest, from index: Int = 0, with step: @escaping Step,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    guard index < count else { return completion(.success(urlRequest)) }
    let adapter = self[index]
    let first = SingleAnswer()
    step(adapter, urlRequest) { result in
      // A completion that is called again must not begin another attempt, nor answer for the adapter of a later one.
      guard first.take() else {
        return QuestionSubject.adaptation.reportIgnoredAnswer(
          by: "\(type(of: adapter))", about: urlRequest.url?.shown)
      }
      switch result {
      case .success(let adapted): adapt(adapted, from: index + 1, with: step, completion: completion)
      case .failure: completion(result)
      }
    }
  }
}
