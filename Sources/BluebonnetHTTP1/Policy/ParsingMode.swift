// SPDX-License-Identifier: MIT

/// A parser's treatment of points that RFC 9112 and RFC 9110 leave to the recipient's judgement.
///
/// No mode accepts anything that could make two recipients disagree about where the next message on the connection
/// begins: once something was repaired, the connection is not used again. Lenient mode excepts a head of which each line
/// ends in a bare LF, where nothing else had to be repaired.
public enum ParsingMode: Sendable, Hashable {
  /// Only messages that the grammar generates. For a server, and a client of peers known to be correct.
  case strict
  /// Strict, but for what honest servers get wrong in the *head of a response*: lines that end in a bare LF
  /// (RFC 9112 §2.2), folded field lines (§5.2), whitespace between a field's name and its colon (§5.1), and control
  /// bytes other than CR, LF and NUL in the reason phrase (§4). Fields that frame the message must be written
  /// correctly all the same, requests, chunks and trailers are read strictly, and no repaired head hands its connection
  /// over to another protocol.
  case tolerant
  /// Whatever the RFCs allow a recipient to repair, in requests and trailers too: besides the above a bare CR, NUL or
  /// other control byte inside a value (RFC 9110 §5.5), runs of whitespace in a start line (RFC 9112 §3, §4), and
  /// both Content-Length and Transfer-Encoding (§6.3). Beyond what they allow, a bare LF also ends the lines of a chunk
  /// (§7.1). For looking at traffic rather than for acting on it.
  case lenient

  /// Whether what breaks `rule` may pass, to be repaired.
  func forgives(_ rule: HTTP1Error.Rule) -> Bool {
    switch self {
    case .strict: false
    case .tolerant:
      switch rule.code {
      case .bareLF, .foldedField, .whitespaceBeforeColon, .invalidReason: true
      default: false
      }
    case .lenient: true
    }
  }
}
