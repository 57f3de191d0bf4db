// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// A download response with a failure of ``AFError``.
public typealias AFDownloadResponse<Success> = DownloadResponse<Success, AFError>

/// The outcome of a download request, and everything that led there.
public struct DownloadResponse<Success, Failure: Error> {
  /// The `URLRequest` of the last attempt; `nil` if none was made.
  public let request: URLRequest?
  /// The status and the fields of the response; `nil` if its head did not arrive.
  public let response: HTTPURLResponse?
  /// The file's URL, at its destination; `nil` if there is no file.
  public let fileURL: URL?
  /// The data that a broken download can go on from.
  public let resumeData: Data?
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
    request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, resumeData: Data?,
    metrics: URLSessionTaskMetrics?, serializationDuration: TimeInterval,
    result: Result<Success, Failure>
  ) {
    self.request = request
    self.response = response
    self.fileURL = fileURL
    self.resumeData = resumeData
    self.metrics = metrics
    self.serializationDuration = serializationDuration
    self.result = result
  }
}

extension DownloadResponse: Sendable where Success: Sendable {}

extension DownloadResponse {
  /// This response with the value that `transform` makes of its value.
  public func map<NewSuccess>(
    _ transform: (Success) -> NewSuccess
  ) -> DownloadResponse<NewSuccess, Failure> {
    with(result.map(transform))
  }

  /// This response with the value that `transform` makes of its value, or the error it throws.
  public func tryMap<NewSuccess>(
    _ transform: (Success) throws -> NewSuccess
  ) -> DownloadResponse<NewSuccess, any Error> {
    with(result.tryMap(transform))
  }

  /// This response with the error that `transform` makes of its error.
  public func mapError<NewFailure: Error>(
    _ transform: (Failure) -> NewFailure
  ) -> DownloadResponse<Success, NewFailure> {
    with(result.mapError(transform))
  }

  /// This response with the error that `transform` makes of its error, or throws.
  public func tryMapError<NewFailure: Error>(
    _ transform: (Failure) throws -> NewFailure
  ) -> DownloadResponse<Success, any Error> {
    with(result.tryMapError(transform))
  }

  private func with<NewSuccess, NewFailure>(
    _ result: Result<NewSuccess, NewFailure>
  ) -> DownloadResponse<NewSuccess, NewFailure> {
    DownloadResponse<NewSuccess, NewFailure>(
      request: request, response: response, fileURL: fileURL, resumeData: resumeData, metrics: metrics,
      serializationDuration: serializationDuration, result: result)
  }
}

extension DownloadResponse: CustomStringConvertible, CustomDebugStringConvertible {
  /// The result; a failure with the request that it belongs to.
  public var description: String { ResponseText.summary(result, of: request) }

  /// Request, response, file, durations and result, one after the other; credentials and cookies are left out.
  public var debugDescription: String {
    guard let request else { return "[Request]: none\n[Result]: \(result)" }
    return [
      ResponseText.describe(request), ResponseText.describe(response), "[File]: \(fileURL?.path ?? "none")",
      "[Resume data]: \(resumeData.map { "\($0.count) bytes" } ?? "none")",
      "[Network time]: \(ResponseText.describe(metrics))", "[Serialization time]: \(serializationDuration) s",
      "[Result]: \(result)",
    ].joined(separator: "\n")
  }
}
