// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension DataRequest {
  /// A closure that accepts or refuses a response and its body. Called on the session's `serializationQueue`, or on its `rootQueue` if
  /// that was passed.
  public typealias Validation =
    @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse, _ data: Data?) -> ValidationResult

  /// Adds a validator. Those added first are asked first, and none after one that objected.
  ///
  /// - Parameter validation: Accepts or refuses the response.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate(_ validation: @escaping Validation) -> Self {
    add(
      .custom { request, response, subject in
        if case .data(let data) = subject { validation(request, response, data) } else { .success(()) }
      })
    return self
  }
}
