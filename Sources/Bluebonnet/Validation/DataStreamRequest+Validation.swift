import BluebonnetFoundation
import BluebonnetURLLoading

extension DataStreamRequest {
  /// A closure that judges a response.
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

  /// Accepts some statuses only.
  ///
  /// - Parameter acceptableStatusCodes: Which.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate<S: Sequence & Sendable>(statusCode acceptableStatusCodes: S) -> Self
  where S.Iterator.Element == Int {
    add(.status { acceptableStatusCodes.contains($0) })
    return self
  }

  /// Accepts some media types only. Either half of a type may be `*`.
  ///
  /// - Parameter acceptableContentTypes: Which; evaluated when a response has arrived.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate<S: Sequence & SendableMetatype>(
    contentType acceptableContentTypes: @escaping @Sendable @autoclosure () -> S
  ) -> Self where S.Iterator.Element == String {
    add(.contentType { Array(acceptableContentTypes()) })
    return self
  }

  /// Accepts successful statuses (200 to 299) and the media types the request asked for in `Accept`.
  ///
  /// - Returns: The request.
  @discardableResult
  public func validate() -> Self {
    addUsualValidators()
    return self
  }
}
