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
      .requestRetryFailed(let error, _), .sessionTaskFailed(let error):
      error
    case .sessionInvalidated(let error): error
    case .multipartEncodingFailed(let reason): reason.underlyingError
    case .parameterEncodingFailed(let reason): reason.underlyingError
    case .parameterEncoderFailed(let reason): reason.underlyingError
    case .responseValidationFailed(let reason): reason.underlyingError
    case .responseSerializationFailed(let reason): reason.underlyingError
    case .serverTrustEvaluationFailed(let reason): reason.underlyingError
    case .explicitlyCancelled, .invalidURL, .sessionDeinitialized, .urlRequestValidationFailed: nil
    }
  }

  /// The content types the failed validation would have accepted.
  public var acceptableContentTypes: [String]? {
    guard case .responseValidationFailed(let reason) = self else { return nil }
    return reason.acceptableContentTypes
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

  var underlyingError: (any Error)? {
    switch self {
    case .bodyPartFileNotReachableWithError(_, let error),
      .bodyPartFileSizeQueryFailedWithError(_, let error),
      .outputStreamWriteFailed(let error), .inputStreamReadFailed(let error):
      error
    default: nil
    }
  }
}

extension AFError.ParameterEncodingFailureReason {
  var underlyingError: (any Error)? {
    switch self {
    case .missingURL: nil
    case .jsonEncodingFailed(let error), .customEncodingFailed(let error): error
    }
  }
}

extension AFError.ParameterEncoderFailureReason {
  var underlyingError: (any Error)? {
    switch self {
    case .missingRequiredComponent: nil
    case .encoderFailed(let error): error
    }
  }
}

extension AFError.ResponseValidationFailureReason {
  var acceptableContentTypes: [String]? {
    switch self {
    case .missingContentType(let types), .unacceptableContentType(let types, _): types
    default: nil
    }
  }

  var underlyingError: (any Error)? {
    guard case .customValidationFailed(let error) = self else { return nil }
    return error
  }
}

extension AFError.ResponseSerializationFailureReason {
  var underlyingError: (any Error)? {
    switch self {
    case .jsonSerializationFailed(let error), .decodingFailed(let error),
      .customSerializationFailed(let error):
      error
    default: nil
    }
  }
}

extension AFError.ServerTrustFailureReason {
  var output: Output? {
    switch self {
    case .defaultEvaluationFailed(let output), .hostValidationFailed(let output),
      .revocationCheckFailed(let output, _):
      output
    default: nil
    }
  }

  var underlyingError: (any Error)? {
    switch self {
    case .trustEvaluationFailed(let error): error
    case .customEvaluationFailed(let error): error
    default: nil
    }
  }
}
