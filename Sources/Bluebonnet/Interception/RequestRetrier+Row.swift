// SPDX-License-Identifier: MIT
import BluebonnetURLLoading

extension Array where Element == any RequestRetrier {
  /// Asks one retrier after the other, from one of them on, until one answers anything but ``RetryResult/doNotRetry``.
  func retry(
    _ request: Request, for session: Session, dueTo error: any Error, from index: Int = 0,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    guard index < count else { return completion(.doNotRetry) }
    let retrier = self[index]
    let first = SingleAnswer()
    retrier.retry(request, for: session, dueTo: error) { result in
      guard first.take() else {
        return QuestionSubject.retry.reportIgnoredAnswer(
          by: "\(type(of: retrier))", about: request.request?.url?.shown)
      }
      guard case .doNotRetry = result else { return completion(result) }
      retry(request, for: session, dueTo: error, from: index + 1, completion: completion)
    }
  }
}
