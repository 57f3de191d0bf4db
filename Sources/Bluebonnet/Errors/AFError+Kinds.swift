import BluebonnetFoundation

// One question per case, for `catch` clauses and `filter` closures that want no pattern.
extension AFError {
  /// Whether this is ``sessionDeinitialized``.
  public var isSessionDeinitializedError: Bool {
    if case .sessionDeinitialized = self { true } else { false }
  }

  /// Whether this is ``sessionInvalidated(error:)``.
  public var isSessionInvalidatedError: Bool {
    if case .sessionInvalidated = self { true } else { false }
  }

  /// Whether this is ``explicitlyCancelled``.
  public var isExplicitlyCancelledError: Bool {
    if case .explicitlyCancelled = self { true } else { false }
  }

  /// Whether this is ``invalidURL(url:)``.
  public var isInvalidURLError: Bool {
    if case .invalidURL = self { true } else { false }
  }

  /// Whether this is ``parameterEncodingFailed(reason:)``.
  public var isParameterEncodingError: Bool {
    if case .parameterEncodingFailed = self { true } else { false }
  }

  /// Whether this is ``parameterEncoderFailed(reason:)``.
  public var isParameterEncoderError: Bool {
    if case .parameterEncoderFailed = self { true } else { false }
  }

  /// Whether this is ``multipartEncodingFailed(reason:)``.
  public var isMultipartEncodingError: Bool {
    if case .multipartEncodingFailed = self { true } else { false }
  }

  /// Whether this is ``requestAdaptationFailed(error:)``.
  public var isRequestAdaptationError: Bool {
    if case .requestAdaptationFailed = self { true } else { false }
  }

  /// Whether this is ``responseValidationFailed(reason:)``.
  public var isResponseValidationError: Bool {
    if case .responseValidationFailed = self { true } else { false }
  }

  /// Whether this is ``responseSerializationFailed(reason:)``.
  public var isResponseSerializationError: Bool {
    if case .responseSerializationFailed = self { true } else { false }
  }

  /// Whether this is ``serverTrustEvaluationFailed(reason:)``.
  public var isServerTrustEvaluationError: Bool {
    if case .serverTrustEvaluationFailed = self { true } else { false }
  }

  /// Whether this is ``requestRetryFailed(retryError:originalError:)``.
  public var isRequestRetryError: Bool {
    if case .requestRetryFailed = self { true } else { false }
  }

  /// Whether this is ``createUploadableFailed(error:)``.
  public var isCreateUploadableError: Bool {
    if case .createUploadableFailed = self { true } else { false }
  }

  /// Whether this is ``createURLRequestFailed(error:)``.
  public var isCreateURLRequestError: Bool {
    if case .createURLRequestFailed = self { true } else { false }
  }

  /// Whether this is ``downloadedFileMoveFailed(error:source:destination:)``.
  public var isDownloadedFileMoveError: Bool {
    if case .downloadedFileMoveFailed = self { true } else { false }
  }

  /// Whether this is ``sessionTaskFailed(error:)``.
  public var isSessionTaskError: Bool {
    if case .sessionTaskFailed = self { true } else { false }
  }
}
