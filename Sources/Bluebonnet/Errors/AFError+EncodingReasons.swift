// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension AFError {
  /// Why a multipart form could not be encoded.
  public enum MultipartEncodingFailureReason: Sendable {
    /// The part's URL is not a file URL.
    case bodyPartURLInvalid(url: URL)
    /// The part's URL has no file name or no extension to derive one from.
    case bodyPartFilenameInvalid(in: URL)
    /// No readable file is at the part's URL.
    case bodyPartFileNotReachable(at: URL)
    /// Asking for the file at the part's URL threw.
    case bodyPartFileNotReachableWithError(atURL: URL, error: any Error)
    /// The part's URL names a directory, which cannot be sent.
    case bodyPartFileIsDirectory(at: URL)
    /// The file does not tell its size, and `Content-Length` needs it.
    case bodyPartFileSizeNotAvailable(at: URL)
    /// The system refused to tell the file's size.
    case bodyPartFileSizeQueryFailedWithError(forURL: URL, error: any Error)
    /// No stream could be opened over the part's file.
    case bodyPartInputStreamCreationFailed(for: URL)
    /// No stream could be opened at the place to write the form to.
    case outputStreamCreationFailed(for: URL)
    /// Something exists already at the place to write the form to.
    case outputStreamFileAlreadyExists(at: URL)
    /// The place to write the form to is not a file URL.
    case outputStreamURLInvalid(url: URL)
    /// The form could not be written to its file, as when the disk is full.
    case outputStreamWriteFailed(error: any Error)
    /// Reading a part failed, or gave another number of bytes than was promised.
    case inputStreamReadFailed(error: any Error)
  }

  /// A part's stream ended before, or went on after, the length it was appended with.
  public struct UnexpectedInputStreamLength: Error {
    /// The length the part was appended with.
    public var bytesExpected: UInt64
    /// The bytes that came out of the stream.
    public var bytesRead: UInt64
  }

  /// A part of a form comes from an asynchronous sequence, and the form was to be encoded at once. Found as the error of
  /// `inputStreamReadFailed`.
  public struct AsynchronousPart: Error {}

  /// A header of a part holds CR, LF or NUL, or has no proper name. It would add lines to the part's head, or a whole
  /// body. Found as the error of `outputStreamWriteFailed`.
  public struct InvalidPartHeader: Error {
    /// The name of the header, or "boundary".
    public var name: String
    /// The value that holds a line break or a NUL.
    public var value: String
  }

  /// Why a ``ParameterEncoding`` failed.
  public enum ParameterEncodingFailureReason: Sendable {
    /// The request has no URL to put parameters into.
    case missingURL
    /// The parameters are no JSON, or could not be written as such.
    case jsonEncodingFailed(error: any Error)
    /// An encoding of the user's own threw.
    case customEncodingFailed(error: any Error)
  }

  /// Why a ``ParameterEncoder`` failed.
  public enum ParameterEncoderFailureReason: Sendable {
    /// The part of the request that an encoder needs.
    public enum RequiredComponent: Sendable {
      /// The request has no URL to write parameters into.
      case url
      /// The request has no usable method; the raw value is what it has.
      case httpMethod(rawValue: String)
    }

    /// The request lacks something the encoder needs.
    case missingRequiredComponent(RequiredComponent)
    /// The encoder that does the work threw.
    case encoderFailed(error: any Error)
  }

  /// Why a `URLRequest` was refused before it was sent.
  public enum URLRequestValidationFailureReason: Sendable {
    /// A GET request carries a body, which servers and caches are free to drop (RFC 9110 §9.3.1).
    case bodyDataInGETRequest(Data)
  }
}
