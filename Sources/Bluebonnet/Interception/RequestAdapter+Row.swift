// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

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
