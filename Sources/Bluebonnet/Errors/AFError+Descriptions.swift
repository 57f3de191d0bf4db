import BluebonnetFoundation
import BluebonnetURLLoading

extension AFError: LocalizedError {
  /// What went wrong, in a sentence.
  public var errorDescription: String? {
    switch self {
    case .createUploadableFailed(let error):
      "The body to upload could not be made: \(error.localizedDescription)"
    case .createURLRequestFailed(let error):
      "The request could not be made: \(error.localizedDescription)"
    case .downloadedFileMoveFailed(let error, let source, let destination):
      "The download at \(source) could not be moved to \(destination): \(error.localizedDescription)"
    case .explicitlyCancelled:
      "The request was cancelled by its owner."
    case .invalidURL(let url):
      "This is not a URL: \(url)"
    case .multipartEncodingFailed(let reason): reason.localizedDescription
    case .parameterEncodingFailed(let reason): reason.localizedDescription
    case .parameterEncoderFailed(let reason): reason.localizedDescription
    case .requestAdaptationFailed(let error):
      "An adapter refused the request: \(error.localizedDescription)"
    case .requestRetryFailed(let retryError, let originalError):
      """
      Retrying failed: \(retryError.localizedDescription) \
      (what was to be retried: \(originalError.localizedDescription))
      """
    case .responseValidationFailed(let reason): reason.localizedDescription
    case .responseSerializationFailed(let reason): reason.localizedDescription
    case .serverTrustEvaluationFailed(let reason): reason.localizedDescription
    case .sessionDeinitialized:
      "The session was released while the request was under way; keep a reference to it."
    case .sessionInvalidated(let error):
      "The session was invalidated: \(error?.localizedDescription ?? "no reason given")"
    case .sessionTaskFailed(let error):
      "The transfer failed: \(error.localizedDescription)"
    case .urlRequestValidationFailed(let reason): reason.localizedDescription
    }
  }
}

extension AFError.MultipartEncodingFailureReason {
  var localizedDescription: String {
    switch self {
    case .bodyPartURLInvalid(let url): "A form's part must come from a file URL, not \(url)."
    case .bodyPartFilenameInvalid(let url): "No file name can be taken from \(url)."
    case .bodyPartFileNotReachable(let url): "There is no readable file at \(url)."
    case .bodyPartFileNotReachableWithError(let url, let error):
      "The file at \(url) cannot be reached: \(error.localizedDescription)"
    case .bodyPartFileIsDirectory(let url): "A directory cannot be a form's part: \(url)"
    case .bodyPartFileSizeNotAvailable(let url): "The file at \(url) does not tell its size."
    case .bodyPartFileSizeQueryFailedWithError(let url, let error):
      "The size of the file at \(url) could not be asked for: \(error.localizedDescription)"
    case .bodyPartInputStreamCreationFailed(let url): "The file at \(url) could not be opened for reading."
    case .outputStreamCreationFailed(let url): "A file at \(url) could not be opened for writing."
    case .outputStreamFileAlreadyExists(let url): "The form is not written over what exists at \(url)."
    case .outputStreamURLInvalid(let url): "A form can be written to a file URL only, not to \(url)."
    case .outputStreamWriteFailed(let error): "Writing the form failed: \(error.localizedDescription)"
    case .inputStreamReadFailed(let error): "Reading a form's part failed: \(error.localizedDescription)"
    }
  }
}

extension AFError.UnexpectedInputStreamLength: LocalizedError {
  /// Both lengths, in a sentence.
  public var errorDescription: String? {
    "A form's part was appended with \(bytesExpected) bytes, but its stream gave \(bytesRead)."
  }
}

extension AFError.InvalidPartHeader: LocalizedError {
  /// The header, in a sentence.
  public var errorDescription: String? {
    "The header \(name.debugDescription) of a form's part holds a line break or NUL, or has no proper name."
  }
}

extension AFError.ParameterEncodingFailureReason {
  var localizedDescription: String {
    switch self {
    case .missingURL: "Parameters cannot be encoded into a request without a URL."
    case .jsonEncodingFailed(let error): "The parameters cannot be JSON: \(error.localizedDescription)"
    case .customEncodingFailed(let error): "The parameter encoding failed: \(error.localizedDescription)"
    }
  }
}

extension AFError.ParameterEncoderFailureReason {
  var localizedDescription: String {
    switch self {
    case .missingRequiredComponent(.url):
      "Parameters cannot be encoded into a request without a URL."
    case .missingRequiredComponent(.httpMethod(let method)):
      "Parameters cannot be encoded into a request with the method \(method)."
    case .encoderFailed(let error): "The parameter encoder failed: \(error.localizedDescription)"
    }
  }
}

extension AFError.ResponseValidationFailureReason {
  var localizedDescription: String {
    switch self {
    case .dataFileNil: "There is no downloaded file to validate."
    case .dataFileReadFailed(let url): "The downloaded file at \(url) could not be read to validate it."
    case .missingContentType(let types):
      "The response names no content type; acceptable were \(types.joined(separator: ", "))."
    case .unacceptableContentType(let types, let type):
      "The response is \(type); acceptable were \(types.joined(separator: ", "))."
    case .unacceptableStatusCode(let code): "The response's status \(code) is not acceptable."
    case .customValidationFailed(let error): "The validation failed: \(error.localizedDescription)"
    }
  }
}

extension AFError.ResponseSerializationFailureReason {
  var localizedDescription: String {
    switch self {
    case .inputDataNilOrZeroLength: "The response has no body, but one was needed."
    case .inputFileNil: "There is no downloaded file."
    case .inputFileReadFailed(let url): "The downloaded file at \(url) could not be read."
    case .stringSerializationFailed(let encoding): "The body is no text in the encoding \(encoding)."
    case .jsonSerializationFailed(let error): "The body is not JSON: \(error.localizedDescription)"
    case .decodingFailed(let error): "The body could not be decoded: \(error.decodingDescription)"
    case .customSerializationFailed(let error): "The serializer failed: \(error.localizedDescription)"
    case .invalidEmptyResponse(let type):
      "The response is empty, and \(type) has no empty value; conform it to EmptyResponse."
    }
  }
}

extension AFError.ServerTrustFailureReason {
  var localizedDescription: String {
    switch self {
    case .noRequiredEvaluator(let host):
      "Every host must be evaluated, and none of the evaluators is for \(host)."
    case .noCertificatesFound: "There is no certificate to pin."
    case .noPublicKeysFound: "There is no public key to pin."
    case .policyApplicationFailed(_, _, let status):
      "The trust did not take a policy (status \(status))."
    case .settingAnchorCertificatesFailed(let status, _):
      "The trust did not take its anchors (status \(status))."
    case .revocationPolicyCreationFailed: "Checking for revocation is not possible here."
    case .trustEvaluationFailed(let error):
      "The server's certificates are not trusted: \(error?.localizedDescription ?? "no reason given")"
    case .defaultEvaluationFailed(let output):
      "The certificates of \(output.host) are not trusted (\(output.result), status \(output.status))."
    case .hostValidationFailed(let output):
      "The certificates are not for \(output.host) (\(output.result), status \(output.status))."
    case .revocationCheckFailed(let output, _):
      "The revocation check for \(output.host) failed (\(output.result), status \(output.status))."
    case .certificatePinningFailed(let host, _, let pinned, let served):
      "None of the \(served.count) certificates of \(host) is one of the \(pinned.count) pinned ones."
    case .publicKeyPinningFailed(let host, _, let pinned, let served):
      "None of the \(served.count) public keys of \(host) is one of the \(pinned.count) pinned ones."
    case .customEvaluationFailed(let error):
      "The trust evaluator failed: \(error.localizedDescription)"
    }
  }
}

extension AFError.URLRequestValidationFailureReason {
  var localizedDescription: String {
    switch self {
    case .bodyDataInGETRequest(let data):
      "A GET request must have no body, and this one has \(data.count) bytes."
    }
  }
}
