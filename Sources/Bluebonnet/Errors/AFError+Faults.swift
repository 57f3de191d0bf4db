// SPDX-License-Identifier: MIT
import BluebonnetURLLoading

extension AFError {
  /// The phase that the load had reached when it failed; nil where no load failed, or the phase is unknown.
  public var loadingPhase: LoadingPhase? { failure?.loadingPhase }

  /// The party at fault: the caller, the server, the network, or this machine; nil where that cannot be told, as with an error
  /// that a validator, an adapter or a serializer of the caller's threw.
  ///
  /// A status from 400 to 499 says that the request is at fault (RFC 9110 §15.5), any other that is not acceptable, that the server is.
  public var loadingFault: LoadingFault? {
    switch self {
    case .explicitlyCancelled, .invalidURL, .multipartEncodingFailed, .parameterEncodingFailed,
      .parameterEncoderFailed, .sessionDeinitialized, .urlRequestValidationFailed:
      .caller
    case .createUploadableFailed(let error), .createURLRequestFailed(let error),
      .requestAdaptationFailed(let error):
      error.loadingFault ?? .caller
    case .downloadedFileMoveFailed: .local
    case .requestRetryFailed(_, let originalError): originalError.loadingFault
    case .sessionTaskFailed(let error): error.loadingFault
    case .sessionInvalidated(let error): error?.loadingFault ?? .caller
    case .responseValidationFailed(let reason): reason.loadingFault
    case .responseSerializationFailed(let reason): reason.loadingFault
    case .serverTrustEvaluationFailed(let reason): reason.loadingFault
    }
  }

  /// The failed load, if there is one below this error.
  private var failure: URLError? {
    switch self {
    case .requestRetryFailed(_, let originalError): originalError.urlError
    default: underlyingError?.urlError
    }
  }
}

extension Error {
  fileprivate var urlError: URLError? {
    switch self {
    case let error as URLError: error
    case let error as AFError:
      if case .requestRetryFailed(_, let originalError) = error {
        originalError.urlError
      } else {
        error.underlyingError?.urlError
      }
    default: nil
    }
  }

  fileprivate var loadingFault: LoadingFault? {
    (self as? AFError)?.loadingFault ?? (self as? URLError)?.loadingFault
  }
}

extension AFError.ResponseValidationFailureReason {
  fileprivate var loadingFault: LoadingFault? {
    switch self {
    case .dataFileNil, .dataFileReadFailed: .local
    case .missingContentType, .unacceptableContentType: .server
    case .unacceptableStatusCode(let code): (400..<500).contains(code) ? .caller : .server
    case .customValidationFailed(let error): error.loadingFault
    }
  }
}

extension AFError.ResponseSerializationFailureReason {
  fileprivate var loadingFault: LoadingFault? {
    switch self {
    case .inputFileNil, .inputFileReadFailed: .local
    case .inputDataNilOrZeroLength, .stringSerializationFailed, .jsonSerializationFailed, .decodingFailed,
      .invalidEmptyResponse:
      .server
    case .customSerializationFailed(let error): error.loadingFault
    }
  }
}

extension AFError.ServerTrustFailureReason {
  fileprivate var loadingFault: LoadingFault? {
    switch self {
    case .noRequiredEvaluator, .noCertificatesFound, .noPublicKeysFound: .caller
    case .policyApplicationFailed, .settingAnchorCertificatesFailed, .revocationPolicyCreationFailed: .local
    case .trustEvaluationFailed, .defaultEvaluationFailed, .hostValidationFailed, .revocationCheckFailed,
      .certificatePinningFailed, .publicKeyPinningFailed:
      .server
    case .customEvaluationFailed(let error): error.loadingFault
    }
  }
}
