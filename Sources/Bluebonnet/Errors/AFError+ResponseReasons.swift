// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension AFError {
  /// Why a response was refused by a validation.
  public enum ResponseValidationFailureReason: Sendable {
    /// A download is complete, but its file is not there to be validated.
    case dataFileNil
    /// The downloaded file could not be read.
    case dataFileReadFailed(at: URL)
    /// The response names no content type, and none of the acceptable ones is a wildcard.
    case missingContentType(acceptableContentTypes: [String])
    /// The response's content type is none of the acceptable ones.
    case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
    /// The response's status is none of the acceptable ones.
    case unacceptableStatusCode(code: Int)
    /// A validation of the user's own failed.
    case customValidationFailed(error: any Error)
  }

  /// Why a response serializer could not make its value.
  public enum ResponseSerializationFailureReason: Sendable {
    /// There is no body, and neither method nor status excuses that.
    case inputDataNilOrZeroLength
    /// A download is complete, but its file is not there to be read.
    case inputFileNil
    /// The downloaded file could not be read.
    case inputFileReadFailed(at: URL)
    /// The bytes are no text in this encoding.
    case stringSerializationFailed(encoding: String.Encoding)
    /// `JSONSerialization` does not take the body for JSON, with its error.
    case jsonSerializationFailed(error: any Error)
    /// The decoder refused the body, with its error.
    case decodingFailed(error: any Error)
    /// A serializer of the user's own threw.
    case customSerializationFailed(error: any Error)
    /// The body may be empty, but the wanted type has no empty value.
    case invalidEmptyResponse(type: String)
  }
}
