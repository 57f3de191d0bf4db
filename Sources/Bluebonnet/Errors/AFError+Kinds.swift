// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// One question per case, for `catch` clauses and `filter` closures that want no pattern.
extension AFError {
  /// True for ``AFError/sessionDeinitialized``: the `Session` was released while the request ran.
  public var isSessionDeinitializedError: Bool {
    if case .sessionDeinitialized = self { true } else { false }
  }

  /// True for ``AFError/sessionInvalidated(error:)``: the `URLSession` was invalidated.
  public var isSessionInvalidatedError: Bool {
    if case .sessionInvalidated = self { true } else { false }
  }

  /// True for ``AFError/explicitlyCancelled``: the program cancelled the request.
  public var isExplicitlyCancelledError: Bool {
    if case .explicitlyCancelled = self { true } else { false }
  }

  /// True for ``AFError/invalidURL(url:)``: a ``URLConvertible`` gave no URL.
  public var isInvalidURLError: Bool {
    if case .invalidURL = self { true } else { false }
  }

  /// True for ``AFError/parameterEncodingFailed(reason:)``; `underlyingError` has the encoding's error.
  public var isParameterEncodingError: Bool {
    if case .parameterEncodingFailed = self { true } else { false }
  }

  /// True for ``AFError/parameterEncoderFailed(reason:)``; `underlyingError` has the encoder's error.
  public var isParameterEncoderError: Bool {
    if case .parameterEncoderFailed = self { true } else { false }
  }

  /// True for ``AFError/multipartEncodingFailed(reason:)``: a form could not be encoded; `url` and `underlyingError`
  /// say more.
  public var isMultipartEncodingError: Bool {
    if case .multipartEncodingFailed = self { true } else { false }
  }

  /// True for ``AFError/requestAdaptationFailed(error:)``: a ``RequestAdapter`` failed; `underlyingError` has its
  /// error.
  public var isRequestAdaptationError: Bool {
    if case .requestAdaptationFailed = self { true } else { false }
  }

  /// True for ``AFError/responseValidationFailed(reason:)``: status, content type or a validator of yours refused the
  /// response.
  public var isResponseValidationError: Bool {
    if case .responseValidationFailed = self { true } else { false }
  }

  /// True for ``AFError/responseSerializationFailed(reason:)``: no value could be made of the body.
  public var isResponseSerializationError: Bool {
    if case .responseSerializationFailed = self { true } else { false }
  }

  /// True for ``AFError/serverTrustEvaluationFailed(reason:)``: the server's certificates were refused.
  public var isServerTrustEvaluationError: Bool {
    if case .serverTrustEvaluationFailed = self { true } else { false }
  }

  /// True for ``AFError/requestRetryFailed(retryError:originalError:)``: a ``RequestRetrier`` ended with an error.
  public var isRequestRetryError: Bool {
    if case .requestRetryFailed = self { true } else { false }
  }

  /// True for ``AFError/createUploadableFailed(error:)``: the body to upload could not be made.
  public var isCreateUploadableError: Bool {
    if case .createUploadableFailed = self { true } else { false }
  }

  /// True for ``AFError/createURLRequestFailed(error:)``: no `URLRequest` could be made.
  public var isCreateURLRequestError: Bool {
    if case .createURLRequestFailed = self { true } else { false }
  }

  /// True for ``AFError/downloadedFileMoveFailed(error:source:destination:)``: the file is there, but not where it was
  /// to go.
  public var isDownloadedFileMoveError: Bool {
    if case .downloadedFileMoveFailed = self { true } else { false }
  }

  /// True for ``AFError/sessionTaskFailed(error:)``: the transfer failed; `underlyingError` has the `URLError`.
  public var isSessionTaskError: Bool {
    if case .sessionTaskFailed = self { true } else { false }
  }
}
