// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation

extension AFError {
  /// One of a few words that name the kind of failure: fit for a dimension of a metric.
  package var kind: String {
    switch self {
    case .explicitlyCancelled: "cancelled"
    case .createURLRequestFailed, .invalidURL, .urlRequestValidationFailed: "invalid_request"
    case .createUploadableFailed, .multipartEncodingFailed, .parameterEncodingFailed,
      .parameterEncoderFailed:
      "invalid_body"
    case .requestAdaptationFailed: "adapter"
    case .requestRetryFailed(_, let originalError): originalError.kind
    case .downloadedFileMoveFailed: "file"
    case .responseValidationFailed(.unacceptableStatusCode): "status"
    case .responseValidationFailed: "validation"
    case .responseSerializationFailed: "serialization"
    case .serverTrustEvaluationFailed: "server_trust"
    case .sessionDeinitialized, .sessionInvalidated: "session"
    case .sessionTaskFailed(let error): error.kind
    }
  }

  /// The status that a validator refused.
  package var refusedStatus: Int? {
    switch self {
    case .responseValidationFailed(.unacceptableStatusCode(let status)): status
    case .requestRetryFailed(_, let originalError): originalError.asAFError?.refusedStatus
    default: nil
    }
  }
}

extension Error {
  fileprivate var kind: String {
    switch self {
    case let error as AFError: error.kind
    case let error as URLError: error.code.kind
    default: "other"
    }
  }
}

extension URLError.Code {
  fileprivate var kind: String {
    switch self {
    case .cancelled: "cancelled"
    case .timedOut: "timeout"
    case .cannotFindHost, .dnsLookupFailed: "name_lookup"
    case .cannotConnectToHost: "connect"
    case .networkConnectionLost: "connection_lost"
    case .notConnectedToInternet, .dataNotAllowed, .cannotLoadFromNetwork: "offline"
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      "tls"
    case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
      .zeroByteResource, .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete:
      "bad_response"
    case .dataLengthExceedsMaximum: "too_large"
    case .httpTooManyRedirects, .redirectToNonExistentLocation: "redirect"
    case .userAuthenticationRequired, .userCancelledAuthentication: "authentication"
    case .badURL, .unsupportedURL: "invalid_request"
    case .cannotCreateFile, .cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile,
      .cannotMoveFile, .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile:
      "file"
    default: "other"
    }
  }
}
