// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Every error this module hands to its users.
///
/// Failures of the transport arrive as `URLError` inside ``sessionTaskFailed(error:)``; look at
/// ``underlyingError`` to tell them apart.
public enum AFError: Error, Sendable {
  /// The value that supplies an upload's bytes threw.
  case createUploadableFailed(error: any Error)
  /// The `URLRequestConvertible` (or the request modifier) threw.
  case createURLRequestFailed(error: any Error)
  /// A finished download could not be moved to where its `Destination` wanted it.
  case downloadedFileMoveFailed(error: any Error, source: URL, destination: URL)
  /// The request was cancelled by its owner.
  case explicitlyCancelled
  /// A `URLConvertible` did not yield a URL.
  case invalidURL(url: any URLConvertible)
  /// A multipart form could not be encoded.
  case multipartEncodingFailed(reason: MultipartEncodingFailureReason)
  /// A ``ParameterEncoding`` could not put its parameters into the request.
  case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
  /// A ``ParameterEncoder`` could not put its parameters into the request.
  case parameterEncoderFailed(reason: ParameterEncoderFailureReason)
  /// A ``RequestAdapter`` completed with this error, or with a `URLRequest` that cannot be sent.
  case requestAdaptationFailed(error: any Error)
  /// A `RequestRetrier` gave up with an error of its own.
  case requestRetryFailed(retryError: any Error, originalError: any Error)
  /// A validator refused the response: its status, its content type, or for a reason of yours.
  case responseValidationFailed(reason: ResponseValidationFailureReason)
  /// A response serializer could not make its value.
  case responseSerializationFailed(reason: ResponseSerializationFailureReason)
  /// The server's certificates were not trusted by the evaluator in charge of its host.
  case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)
  /// The `Session` went away while the request was under way.
  case sessionDeinitialized
  /// The underlying `URLSession` was invalidated, with the error it gave, if any.
  case sessionInvalidated(error: (any Error)?)
  /// The underlying task failed, usually with a `URLError`.
  case sessionTaskFailed(error: any Error)
  /// A `URLRequest` was refused before it was sent.
  case urlRequestValidationFailed(reason: URLRequestValidationFailureReason)
}

extension Error {
  /// This error as an ``AFError``, if it is one.
  public var asAFError: AFError? {
    self as? AFError
  }

  /// This error as an ``AFError``; a program error if it is something else.
  public func asAFError(
    orFailWith message: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
  ) -> AFError {
    guard let afError = self as? AFError else {
      fatalError(message(), file: file, line: line)
    }
    return afError
  }

  func asAFError(or defaultAFError: @autoclosure () -> AFError) -> AFError {
    self as? AFError ?? defaultAFError()
  }
}
