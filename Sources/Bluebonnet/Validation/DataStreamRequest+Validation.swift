import BluebonnetFoundation
import BluebonnetURLLoading

extension DataStreamRequest {
  /// A closure that accepts or refuses a streamed response by its head. Called on the session's
  /// ``Session/serializationQueue``, once the body has ended.
  public typealias Validation =
    @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse) -> ValidationResult

  /// Adds a validator. Those added first are asked first, and none after one that objected.
  ///
  /// - Parameter validation: Judges.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate(_ validation: @escaping Validation) -> Self {
    add(
      .custom { request, response, _ in validation(request, response) })
    return self
  }
}
