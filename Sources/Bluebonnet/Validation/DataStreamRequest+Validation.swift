// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension DataStreamRequest {
  /// A closure that accepts or refuses a streamed response by its head, once its body has ended. Called on the session's
  /// `serializationQueue`, or on its `rootQueue` if that was passed.
  public typealias Validation =
    @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse) -> ValidationResult

  /// Adds a validator. Those added first are asked first, and none after one that objected.
  ///
  /// - Parameter validation: Accepts or refuses the response by its head.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate(_ validation: @escaping Validation) -> Self {
    add(
      .custom { request, response, _ in validation(request, response) })
    return self
  }
}
