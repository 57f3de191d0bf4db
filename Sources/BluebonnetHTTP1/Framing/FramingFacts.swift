// SPDX-License-Identifier: MIT

/// The meaning of one head's framing fields, apart from Content-Length: its reader has taken that already.
struct FramingFacts {
  var isChunked = false
  /// The last transfer coding is one that has no end of its own: only the connection's end ends the body.
  var endsWithConnection = false
  /// Something about the framing was repaired or contradictory: the connection must not be used again.
  var isDoubtful = false
  /// The first rule broken by a framing field, to be thrown unless the message has no body anyway.
  var broken: HTTP1Error?

  @inline(__always)
  init(_ reader: inout HeadReader) {
    if let (rule, offset) = reader.lengthFault { broken = HTTP1Error(rule, offset: reader.origin &+ offset) }
    if reader.contentLength.count > 1 { isDoubtful = true }
    if reader.block.contains(.transferEncoding) { readTransferEncoding(&reader) }
  }

  @inline(never)
  private mutating func readTransferEncoding(_ reader: inout HeadReader) {
    let index = reader.block.index(of: .transferEncoding) ?? 0
    let offset = reader.origin &+ reader.block.range(at: index).value.lowerBound
    readCodings(reader.block, reader.mode, reader.codings, offset)
    // The field is a list and may be split, but a sender that splits off an empty one is suspect.
    if reader.block.index(of: .transferEncoding, from: index + 1) != nil { isDoubtful = true }
    if reader.block.contains(.contentLength) {
      // RFC 9112 §6.3 item 3: a sign of smuggling that ought to be an error. Lenient: the transfer coding counts,
      // and nothing else is read from the connection (§6.1).
      if reader.mode != .lenient { note(.contentLengthWithTransferEncoding, offset) }
      isDoubtful = true
    }
    // §6.1: an HTTP/1.0 peer cannot know the field; its framing is faulty even if it looks right.
    if reader.minorVersion == 0 { isDoubtful = true }
  }

  /// The only transfer coding spoken here unasked is `chunked`, once (RFC 9112 §6.1, §7). Others are sent only to peers
  /// that ask with TE; and a body that is read "until close" because of one would reach a reader that did not ask undecoded.
  private mutating func readCodings(
    _ fields: FieldBlock, _ mode: ParsingMode, _ allowed: TransferCodings, _ offset: Int
  ) {
    var chunkedCount = 0
    var identityCount = 0
    var allowedCount = 0
    var others = 0
    fields.forEachElement(of: .transferEncoding) { coding in
      if coding.equals("chunked") {
        chunkedCount += 1
      } else if mode == .lenient, coding.equals("identity") {
        // Removed from the registry by RFC 7230; it never changed a byte. A peer that still sends it is not
        // trusted with a second message.
        identityCount += 1
      } else if chunkedCount == 0, allowed.allows(coding) {
        allowedCount += 1
      } else {
        // Unknown, or behind `chunked`, which must come last.
        others += 1
      }
    }
    isChunked = chunkedCount == 1 && others == 0
    endsWithConnection = !isChunked && allowedCount > 0
    if identityCount > 0 { isDoubtful = true }
    if !isChunked, others > 0 || chunkedCount > 1 || identityCount + allowedCount == 0 {
      note(.unsupportedTransferEncoding, offset)
    }
  }

  private mutating func note(_ rule: HTTP1Error.Rule, _ offset: Int) {
    if broken == nil { broken = HTTP1Error(rule, offset: offset) }
  }
}
