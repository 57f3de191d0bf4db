// SPDX-License-Identifier: MIT
extension HTTP1Error.Rule: CustomStringConvertible {
  /// The rule as a phrase, without any byte of the input.
  public var description: String {
    switch code {
    case .invalidStatusLine: "malformed status line"
    case .invalidRequestLine: "malformed request line"
    case .emptyLineBeforeStatusLine: "empty line before the status line"
    case .unsupportedVersion: "unsupported HTTP version"
    case .invalidStatusCode: "malformed status code"
    case .invalidReason: "control byte in the reason phrase"
    case .invalidMethod: "malformed method"
    case .invalidTarget: "malformed request target"
    case .invalidFieldName: "malformed field name"
    case .whitespaceBeforeColon: "whitespace between field name and colon"
    case .invalidFieldValue: "control byte in a field value"
    case .foldedField: "folded field line"
    case .whitespaceBeforeFirstField: "whitespace before the first field"
    case .bareCR: "CR without LF"
    case .bareLF: "LF without CR"
    case .invalidContentLength: "malformed Content-Length"
    case .conflictingContentLength: "contradictory Content-Length values"
    case .contentLengthWithTransferEncoding: "both Content-Length and Transfer-Encoding"
    case .unsupportedTransferEncoding: "unsupported or misplaced transfer coding"
    case .invalidChunkSize: "malformed chunk size"
    case .chunkSizeOverflow: "chunk size out of range"
    case .invalidChunkExtension: "malformed chunk extension"
    case .missingChunkEnd: "chunk data without its line end"
    case .headTooLong: "head longer than the limit"
    case .lineTooLong: "line longer than the limit"
    case .tooManyFields: "more fields than the limit"
    case .chunkExtensionTooLong: "chunk extension longer than the limit"
    case .tooMuchChunkOverhead: "more chunk overhead than the limit"
    case .trailersTooLong: "trailer section longer than the limit"
    case .tooManyInterimResponses: "more interim responses than the limit"
    case .truncatedHead: "connection closed inside a message head"
    case .truncatedBody: "connection closed inside a message body"
    case .unsolicitedResponse: "response before its request"
    case .bodyTooLong: "request content longer than announced"
    case .bodyTooShort: "request content shorter than announced"
    case .outOfOrder: "call out of order"
    }
  }

  /// The place where the rule is written.
  public var section: String {
    switch code {
    case .invalidStatusLine, .invalidStatusCode, .invalidReason: "RFC 9112 §4"
    case .invalidRequestLine, .invalidMethod: "RFC 9112 §3"
    case .emptyLineBeforeStatusLine, .bareCR, .bareLF, .whitespaceBeforeFirstField: "RFC 9112 §2.2"
    case .unsupportedVersion: "RFC 9112 §2.3"
    case .invalidTarget: "RFC 9112 §3.2"
    case .invalidFieldName, .whitespaceBeforeColon: "RFC 9112 §5.1"
    case .invalidFieldValue: "RFC 9110 §5.5"
    case .foldedField: "RFC 9112 §5.2"
    case .invalidContentLength, .conflictingContentLength, .bodyTooLong, .bodyTooShort: "RFC 9110 §8.6"
    case .contentLengthWithTransferEncoding, .unsupportedTransferEncoding: "RFC 9112 §6.3"
    case .invalidChunkSize, .chunkSizeOverflow, .missingChunkEnd: "RFC 9112 §7.1"
    case .invalidChunkExtension, .chunkExtensionTooLong, .tooMuchChunkOverhead: "RFC 9112 §7.1.1"
    case .headTooLong, .lineTooLong, .tooManyFields, .trailersTooLong: "RFC 9110 §5.4"
    case .tooManyInterimResponses: "RFC 9110 §15.2"
    case .truncatedHead, .truncatedBody: "RFC 9112 §8"
    case .unsolicitedResponse: "RFC 9112 §9.2"
    case .outOfOrder: "usage"
    }
  }
}
