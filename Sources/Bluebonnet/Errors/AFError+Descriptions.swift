// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension AFError: LocalizedError {
  /// The failure, in a sentence or two.
  ///
  /// Failures of the transport name the request, by its method and its URL without user information and without the
  /// content of its query. The reason for refusing a response is told by ``DataResponse``'s own description together with
  /// its request.
  public var errorDescription: String? { sentence.asSentence }

  private var sentence: String {
    switch self {
    case .createUploadableFailed(let error):
      "The body to upload could not be made: \(error.words)"
    case .createURLRequestFailed(let error):
      "The request could not be made: \(error.words)"
    case .downloadedFileMoveFailed(let error, _, let destination):
      "The download could not be moved to \(destination.place): \(error.words)\(error.adviceOnMoving)"
    case .explicitlyCancelled:
      "The request was cancelled by its owner."
    case .invalidURL(let url): url.commandError
    case .multipartEncodingFailed(let reason): reason.localizedDescription
    case .parameterEncodingFailed(let reason): reason.localizedDescription
    case .parameterEncoderFailed(let reason): reason.localizedDescription
    case .requestAdaptationFailed(let error):
      "An adapter refused the request: \(error.words)"
    case .requestRetryFailed(let retryError, let originalError):
      """
      Retrying failed: \(retryError.words.asSentence) What was to be retried: \(originalError.first.words)
      """
    case .responseValidationFailed(let reason): reason.localizedDescription
    case .responseSerializationFailed(let reason): reason.localizedDescription
    case .serverTrustEvaluationFailed(let reason): reason.localizedDescription
    case .sessionDeinitialized:
      "The session was released while the request was under way; keep a reference to it."
    case .sessionInvalidated(let error):
      "The session was invalidated\(error.map { ": \($0.words)" } ?? "")"
    case .sessionTaskFailed(let error):
      error is URLError ? error.words : "The transfer failed: \(error.words)"
    case .urlRequestValidationFailed(let reason): reason.localizedDescription
    }
  }
}

extension AFError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The same text as `errorDescription`: one sentence or two.
  public var description: String { sentence.asSentence }

  /// The names of the case and of the reason in it, before the text of `description`.
  public var debugDescription: String { "AFError.\(Self.name(of: self)): \(description)" }

  /// The name of an enum's case, with that of the reason inside.
  private static func name(of value: Any) -> String {
    guard let payload = Mirror(reflecting: value).children.first, let name = payload.label else {
      return value is AFError ? plainName(of: value) : "\(value)"
    }
    var reason = payload.value
    let inside = Mirror(reflecting: reason)
    if inside.displayStyle == .tuple, let first = inside.children.first { reason = first.value }
    let isReason =
      value is AFError && !(reason is any Error) && Mirror(reflecting: reason).displayStyle == .enum
    return isReason ? "\(name)(\(Self.name(of: reason)))" : name
  }

  private static func plainName(of value: Any) -> String {
    if case .sessionDeinitialized? = value as? AFError {
      "sessionDeinitialized"
    } else {
      "explicitlyCancelled"
    }
  }
}

extension Error {
  /// The first failure: a retrier is asked about the failure of the transfer and about that of the serializer.
  fileprivate var first: any Error {
    guard case .requestRetryFailed(_, let originalError)? = self as? AFError else { return self }
    return originalError.first
  }
}

extension Error {
  /// The option that helps where a file cannot be moved.
  fileprivate var adviceOnMoving: String {
    switch (self as? CocoaError)?.code {
    case .fileNoSuchFile?, .fileReadNoSuchFile?: "; the option createIntermediateDirectories makes its folder"
    case .fileWriteFileExists?: "; the option removePreviousFile removes it"
    default: ""
    }
  }
}

extension URLConvertible {
  /// Why this is no URL.
  fileprivate var commandError: String {
    let text = (self as? String).map { RedactedURL(unparsed: $0).short } ?? (self as? URL)?.shown
    guard let text else { return "A value of type \(Self.self) gave no URL" }
    return text.isEmpty ? "\"\" is not a URL: it is empty" : "\"\(text)\" is not a URL"
  }
}

extension URL {
  /// A file by its path, anything else by its address.
  fileprivate var place: String { isFileURL ? path : shown }
}

extension AFError.MultipartEncodingFailureReason {
  var localizedDescription: String {
    switch self {
    case .bodyPartURLInvalid(let url): "A form's part must come from a file URL, not \(url.place)."
    case .bodyPartFilenameInvalid(let url):
      "The name of \(url.place) has no extension to take the content type from; append(_:withName:fileName:mimeType:) is told both."
    case .bodyPartFileNotReachable(let url): "There is no readable file at \(url.place)."
    case .bodyPartFileNotReachableWithError(let url, let error):
      "The file at \(url.place) cannot be reached: \(error.words)"
    case .bodyPartFileIsDirectory(let url): "A directory cannot be a form's part: \(url.place)"
    case .bodyPartFileSizeNotAvailable(let url): "The file at \(url.place) does not tell its size."
    case .bodyPartFileSizeQueryFailedWithError(let url, let error):
      "The size of the file at \(url.place) could not be asked for: \(error.words)"
    case .bodyPartInputStreamCreationFailed(let url):
      "The file at \(url.place) could not be opened for reading."
    case .outputStreamCreationFailed(let url): "A file at \(url.place) could not be opened for writing."
    case .outputStreamFileAlreadyExists(let url): "The form is not written over what exists at \(url.place)."
    case .outputStreamURLInvalid(let url): "A form can be written to a file URL only, not to \(url.place)."
    case .outputStreamWriteFailed(let error): "Writing the form failed: \(error.words)"
    case .inputStreamReadFailed(let error): "Reading a form's part failed: \(error.words)"
    }
  }
}

extension AFError.UnexpectedInputStreamLength: LocalizedError {
  /// One sentence that names the length that was promised and the one that came.
  public var errorDescription: String? {
    "A form's part was appended with \(bytesExpected) bytes, but its stream gave \(bytesRead)."
  }
}

extension AFError.AsynchronousPart: LocalizedError {
  /// One sentence that says what to do instead.
  public var errorDescription: String? {
    "A form's part comes from an asynchronous sequence, which cannot be waited for here: send the form with upload."
  }
}

extension AFError.InvalidPartHeader: LocalizedError {
  /// One sentence that names the field, without its value.
  public var errorDescription: String? {
    "The header \(name.debugDescription) of a form's part holds a line break or NUL, or has no proper name."
  }
}

extension AFError.ParameterEncodingFailureReason {
  var localizedDescription: String {
    switch self {
    case .missingURL: "Parameters cannot be encoded into a request without a URL."
    case .jsonEncodingFailed(let error): "The parameters cannot be JSON: \(error.words)"
    case .customEncodingFailed(let error): "The parameter encoding failed: \(error.words)"
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
    case .encoderFailed(let error): "The parameter encoder failed: \(error.words)"
    }
  }
}

extension AFError.ResponseValidationFailureReason {
  var localizedDescription: String {
    switch self {
    case .dataFileNil: "There is no downloaded file to validate."
    case .dataFileReadFailed(let url): "The downloaded file at \(url.place) could not be read to validate it."
    case .missingContentType(let types):
      "The response names no content type; acceptable were \(types.joined(separator: ", "))."
    case .unacceptableContentType(let types, let type):
      "The response's content type is \(type); acceptable were \(types.joined(separator: ", "))."
    case .unacceptableStatusCode(let code):
      "The response's status \(code) (\(HTTPURLResponse.localizedString(forStatusCode: code))) is not acceptable."
    case .customValidationFailed(let error): "The validation failed: \(error.words)"
    }
  }
}

extension AFError.ResponseSerializationFailureReason {
  var localizedDescription: String {
    switch self {
    case .inputDataNilOrZeroLength: "The response has no body, but one was needed."
    case .inputFileNil: "There is no downloaded file."
    case .inputFileReadFailed(let url): "The downloaded file at \(url.place) could not be read."
    case .stringSerializationFailed(let encoding): "The body is not text in \(encoding)."
    case .jsonSerializationFailed(let error): "The body is not JSON: \(error.words)"
    case .decodingFailed(let error): "The body could not be decoded: \(error.words)"
    case .customSerializationFailed(let error): "The serializer failed: \(error.words)"
    case .invalidEmptyResponse(let type):
      "The response is empty, and \(type) has no empty value; conform it to EmptyResponse."
    }
  }
}

extension AFError.ServerTrustFailureReason {
  var localizedDescription: String {
    switch self {
    case .noRequiredEvaluator(let host):
      "\(host) has no evaluator, and every host must have one (allHostsMustBeEvaluated)."
    case .noCertificatesFound: "There is no certificate to pin."
    case .noPublicKeysFound: "There is no public key to pin."
    case .policyApplicationFailed(_, _, let status):
      "The trust did not take a policy (status \(status))."
    case .settingAnchorCertificatesFailed(let status, _):
      "The trust did not take its anchors (status \(status))."
    case .revocationPolicyCreationFailed: "Checking for revocation is not possible here."
    case .trustEvaluationFailed(let error):
      // The description of SecTrustError would say so a second time.
      """
      The server's certificates are not trusted: \
      \((error as? SecTrustError)?.reason ?? error?.words ?? "no reason given")
      """
    case .defaultEvaluationFailed(let output):
      "The certificates of \(output.host) are not trusted (\(output.result), status \(output.status))."
    case .hostValidationFailed(let output):
      "The certificates are not for \(output.host) (\(output.result), status \(output.status))."
    case .revocationCheckFailed(let output, _):
      "The revocation check for \(output.host) failed (\(output.result), status \(output.status))."
    case .certificatePinningFailed(let host, _, let pinned, let served):
      "\(host) presented none of the pinned certificates (\(served.count) presented, \(pinned.count) pinned)."
    case .publicKeyPinningFailed(let host, _, let pinned, let served):
      // Of hashes there are no keys to count.
      "\(host) presented none of the pinned public keys (\(served.count) presented\(pinned.isEmpty ? "" : ", \(pinned.count) pinned"))."
    case .customEvaluationFailed(let error):
      "The trust evaluator failed: \(error.words)"
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
