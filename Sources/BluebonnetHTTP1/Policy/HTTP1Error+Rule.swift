// SPDX-License-Identifier: MIT
extension HTTP1Error {
  /// The rules a message can break. New ones may be added: compare with `==`, do not list them all.
  public struct Rule: Sendable, Hashable {
    let code: Code

    /// The status line is not `HTTP/1.x SP 3DIGIT [SP reason]`.
    public static let invalidStatusLine = Rule(code: .invalidStatusLine)
    /// The request line is not `method SP target SP HTTP/1.x`.
    public static let invalidRequestLine = Rule(code: .invalidRequestLine)
    /// An empty line stands before the status line, where only a server may skip one.
    public static let emptyLineBeforeStatusLine = Rule(code: .emptyLineBeforeStatusLine)
    /// The version is HTTP's, but not 1.x.
    public static let unsupportedVersion = Rule(code: .unsupportedVersion)
    /// The status code is not three digits from 100 on.
    public static let invalidStatusCode = Rule(code: .invalidStatusCode)
    /// The reason phrase has a control byte in it.
    public static let invalidReason = Rule(code: .invalidReason)
    /// The method is not a token.
    public static let invalidMethod = Rule(code: .invalidMethod)
    /// The request target is empty, has a byte that no target may have, or is in none of the four forms.
    public static let invalidTarget = Rule(code: .invalidTarget)
    /// A field name is empty or not a token.
    public static let invalidFieldName = Rule(code: .invalidFieldName)
    /// Whitespace stands between a field name and its colon.
    public static let whitespaceBeforeColon = Rule(code: .whitespaceBeforeColon)
    /// A field value has a control byte in it.
    public static let invalidFieldValue = Rule(code: .invalidFieldValue)
    /// A field line is continued on the next one.
    public static let foldedField = Rule(code: .foldedField)
    /// Whitespace stands before the first field.
    public static let whitespaceBeforeFirstField = Rule(code: .whitespaceBeforeFirstField)
    /// A CR is not followed by LF.
    public static let bareCR = Rule(code: .bareCR)
    /// A line ends in LF without CR.
    public static let bareLF = Rule(code: .bareLF)
    /// Content-Length is not a number that fits.
    public static let invalidContentLength = Rule(code: .invalidContentLength)
    /// Content-Length is given more than once with different values.
    public static let conflictingContentLength = Rule(code: .conflictingContentLength)
    /// Content-Length and Transfer-Encoding are both given.
    public static let contentLengthWithTransferEncoding = Rule(code: .contentLengthWithTransferEncoding)
    /// Transfer-Encoding is empty, or names anything but `chunked` once and last.
    public static let unsupportedTransferEncoding = Rule(code: .unsupportedTransferEncoding)
    /// A chunk does not begin with a hexadecimal size and the end of its line.
    public static let invalidChunkSize = Rule(code: .invalidChunkSize)
    /// A chunk size does not fit into 64 bits.
    public static let chunkSizeOverflow = Rule(code: .chunkSizeOverflow)
    /// A chunk extension is malformed.
    public static let invalidChunkExtension = Rule(code: .invalidChunkExtension)
    /// Chunk data is not followed by CRLF.
    public static let missingChunkEnd = Rule(code: .missingChunkEnd)
    /// The head is longer than ``ParserLimits/headBytes``.
    public static let headTooLong = Rule(code: .headTooLong)
    /// A line is longer than ``ParserLimits/lineBytes``.
    public static let lineTooLong = Rule(code: .lineTooLong)
    /// There are more fields than ``ParserLimits/fieldCount``.
    public static let tooManyFields = Rule(code: .tooManyFields)
    /// A chunk extension is longer than ``ParserLimits/chunkExtensionBytes``.
    public static let chunkExtensionTooLong = Rule(code: .chunkExtensionTooLong)
    /// Chunk sizes and extensions make up more of a body than ``ParserLimits/chunkOverheadBytes`` allows.
    public static let tooMuchChunkOverhead = Rule(code: .tooMuchChunkOverhead)
    /// The trailer section is longer than ``ParserLimits/trailerBytes``.
    public static let trailersTooLong = Rule(code: .trailersTooLong)
    /// There are more interim responses than ``ParserLimits/interimResponses``.
    public static let tooManyInterimResponses = Rule(code: .tooManyInterimResponses)
    /// The connection ended inside a head, or before one.
    public static let truncatedHead = Rule(code: .truncatedHead)
    /// The connection ended inside a body before its announced end.
    public static let truncatedBody = Rule(code: .truncatedBody)
    /// A response has begun before a byte of its request was sent.
    public static let unsolicitedResponse = Rule(code: .unsolicitedResponse)
    /// A request's content is longer than it was announced.
    public static let bodyTooLong = Rule(code: .bodyTooLong)
    /// A request's content is shorter than it was announced.
    public static let bodyTooShort = Rule(code: .bodyTooShort)
    /// A call came at a moment when it makes no sense, such as a field before the start line.
    public static let outOfOrder = Rule(code: .outOfOrder)
  }
}

extension HTTP1Error.Rule {
  enum Code: UInt8, CaseIterable {
    case invalidStatusLine, invalidRequestLine, emptyLineBeforeStatusLine, unsupportedVersion,
      invalidStatusCode
    case invalidReason, invalidMethod, invalidTarget, invalidFieldName, whitespaceBeforeColon,
      invalidFieldValue
    case foldedField, whitespaceBeforeFirstField, bareCR, bareLF
    case invalidContentLength, conflictingContentLength, contentLengthWithTransferEncoding
    case unsupportedTransferEncoding, invalidChunkSize, chunkSizeOverflow, invalidChunkExtension,
      missingChunkEnd
    case headTooLong, lineTooLong, tooManyFields, chunkExtensionTooLong, tooMuchChunkOverhead,
      trailersTooLong, tooManyInterimResponses
    case truncatedHead, truncatedBody, unsolicitedResponse, bodyTooLong, bodyTooShort, outOfOrder
  }
}
