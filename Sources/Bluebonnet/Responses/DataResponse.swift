// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// A data response with a failure of ``AFError``.
public typealias AFDataResponse<Success> = DataResponse<Success, AFError>

/// The outcome of a data or upload request, and everything that led there.
public struct DataResponse<Success, Failure: Error> {
  /// The `URLRequest` of the last attempt; `nil` if none was made.
  public let request: URLRequest?
  /// The status and the fields of the response; `nil` if its head did not arrive.
  public let response: HTTPURLResponse?
  /// The body, with its content coding undone; `nil` if no byte of it arrived.
  public let data: Data?
  /// The measurements of the last attempt; `nil` if no task was made.
  public let metrics: URLSessionTaskMetrics?
  /// Seconds that the serializer took.
  public let serializationDuration: TimeInterval
  /// The value that the serializer made, or why there is none.
  public let result: Result<Success, Failure>

  /// The value that the serializer made; `nil` if the request failed.
  public var value: Success? { result.success }

  /// Why the request failed; `nil` if it did not.
  public var error: Failure? { result.failure }

  /// Makes a response of its parts, for tests and serializers of your own.
  public init(
    request: URLRequest?, response: HTTPURLResponse?, data: Data?, metrics: URLSessionTaskMetrics?,
    serializationDuration: TimeInterval, result: Result<Success, Failure>
  ) {
    self.request = request
    self.response = response
    self.data = data
    self.metrics = metrics
    self.serializationDuration = serializationDuration
    self.result = result
  }
}

extension DataResponse: Sendable where Success: Sendable {}

extension DataResponse {
  /// This response with the value that `transform` makes of its value.
  public func map<NewSuccess>(
    _ transform: (Success) -> NewSuccess
  ) -> DataResponse<NewSuccess, Failure> {
    with(result.map(transform))
  }

  /// This response with the value that `transform` makes of its value, or the error it throws.
  public func tryMap<NewSuccess>(
    _ transform: (Success) throws -> NewSuccess
  ) -> DataResponse<NewSuccess, any Error> {
    with(result.tryMap(transform))
  }

  /// This response with the error that `transform` makes of its error.
  public func mapError<NewFailure: Error>(
    _ transform: (Failure) -> NewFailure
  ) -> DataResponse<Success, NewFailure> {
    with(result.mapError(transform))
  }

  /// This response with the error that `transform` makes of its error, or throws.
  public func tryMapError<NewFailure: Error>(
    _ transform: (Failure) throws -> NewFailure
  ) -> DataResponse<Success, any Error> {
    with(result.tryMapError(transform))
  }

  private func with<NewSuccess, NewFailure>(
    _ result: Result<NewSuccess, NewFailure>
  ) -> DataResponse<NewSuccess, NewFailure> {
    DataResponse<NewSuccess, NewFailure>(
      request: request, response: response, data: data, metrics: metrics,
      serializationDuration: serializationDuration, result: result)
  }
}

extension DataResponse: CustomStringConvertible, CustomDebugStringConvertible {
  /// The result; a failure with the request that it belongs to.
  public var description: String { ResponseText.summary(result, of: request) }

  /// Request, response, body, durations and result, one after the other; credentials and cookies are left out.
  public var debugDescription: String {
    guard let request else { return "[Request]: none\n[Result]: \(result)" }
    return [
      ResponseText.describe(request), ResponseText.describe(response),
      "[Body]: \(ResponseText.describe(data, headers: response?.headers ?? [:]))",
      "[Network time]: \(ResponseText.describe(metrics))", "[Serialization time]: \(serializationDuration) s",
      "[Result]: \(result)",
    ].joined(separator: "\n")
  }
}
