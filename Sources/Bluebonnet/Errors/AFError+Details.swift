// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension AFError {
  /// The value that did not yield a URL.
  public var urlConvertible: (any URLConvertible)? {
    guard case .invalidURL(let url) = self else { return nil }
    return url
  }

  /// The URL a multipart failure is about.
  public var url: URL? {
    guard case .multipartEncodingFailed(let reason) = self else { return nil }
    return reason.url
  }

  /// The error that caused this one, if another layer threw it.
  public var underlyingError: (any Error)? {
    switch self {
    case .createUploadableFailed(let error), .createURLRequestFailed(let error),
      .downloadedFileMoveFailed(let error, _, _), .requestAdaptationFailed(let error),
      .requestRetryFailed(let error, _), .sessionTaskFailed(let error),
      .multipartEncodingFailed(.bodyPartFileNotReachableWithError(_, let error)),
      .multipartEncodingFailed(.bodyPartFileSizeQueryFailedWithError(_, let error)),
      .multipartEncodingFailed(.outputStreamWriteFailed(let error)),
      .multipartEncodingFailed(.inputStreamReadFailed(let error)),
      .parameterEncodingFailed(.jsonEncodingFailed(let error)),
      .parameterEncodingFailed(.customEncodingFailed(let error)),
      .parameterEncoderFailed(.encoderFailed(let error)),
      .responseValidationFailed(.customValidationFailed(let error)),
      .responseSerializationFailed(.jsonSerializationFailed(let error)),
      .responseSerializationFailed(.decodingFailed(let error)),
      .responseSerializationFailed(.customSerializationFailed(let error)),
      .serverTrustEvaluationFailed(.customEvaluationFailed(let error)):
      error
    case .sessionInvalidated(let error), .serverTrustEvaluationFailed(.trustEvaluationFailed(let error)):
      error
    // No reason but those above has an error.
    case .explicitlyCancelled, .invalidURL, .sessionDeinitialized, .urlRequestValidationFailed,
      .multipartEncodingFailed, .parameterEncodingFailed, .parameterEncoderFailed, .responseValidationFailed,
      .responseSerializationFailed, .serverTrustEvaluationFailed:
      nil
    }
  }

  /// The content types the failed validation would have accepted.
  public var acceptableContentTypes: [String]? {
    switch self {
    case .responseValidationFailed(.missingContentType(let types)),
      .responseValidationFailed(.unacceptableContentType(let types, _)):
      types
    default: nil
    }
  }

  /// The content type the failed validation refused.
  public var responseContentType: String? {
    guard case .responseValidationFailed(.unacceptableContentType(_, let type)) = self else { return nil }
    return type
  }

  /// The response's status code, if validation refused it; `nil` for every other error.
  public var responseCode: Int? {
    guard case .responseValidationFailed(.unacceptableStatusCode(let code)) = self else { return nil }
    return code
  }

  /// The encoding in which the body is no text.
  public var failedStringEncoding: String.Encoding? {
    guard case .responseSerializationFailed(.stringSerializationFailed(let encoding)) = self else {
      return nil
    }
    return encoding
  }

  /// The URL of the download that could not be moved.
  public var sourceURL: URL? {
    guard case .downloadedFileMoveFailed(_, let source, _) = self else { return nil }
    return source
  }

  /// The destination of the download that could not be moved.
  public var destinationURL: URL? {
    guard case .downloadedFileMoveFailed(_, _, let destination) = self else { return nil }
    return destination
  }
}

extension AFError.MultipartEncodingFailureReason {
  var url: URL? {
    switch self {
    case .bodyPartURLInvalid(let url), .bodyPartFilenameInvalid(let url), .bodyPartFileNotReachable(let url),
      .bodyPartFileNotReachableWithError(let url, _), .bodyPartFileIsDirectory(let url),
      .bodyPartFileSizeNotAvailable(let url), .bodyPartFileSizeQueryFailedWithError(let url, _),
      .bodyPartInputStreamCreationFailed(let url), .outputStreamCreationFailed(let url),
      .outputStreamFileAlreadyExists(let url), .outputStreamURLInvalid(let url):
      url
    case .outputStreamWriteFailed, .inputStreamReadFailed: nil
    }
  }
}
