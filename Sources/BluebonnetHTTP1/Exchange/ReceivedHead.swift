// SPDX-License-Identifier: MIT

/// A response's head, and what it says about the body behind it.
package struct ReceivedHead {
  package let head: ResponseHead
  /// As Content-Length says, also where no body follows (HEAD, 304).
  package let contentLength: Int?
  /// The bytes of content to come; nil if that is unknown.
  package let bytesExpected: Int?
  /// The faults let pass so far.
  package let repairs: Repairs
}

extension HTTP1Exchange {
  /// The bytes of the response before the head being read: errors in it count from there on.
  package var headOffset: Int { parser.headOffset }

  /// The head of the last interim or final response, with all facts about it.
  ///
  /// Mutating, though nothing changes: an owner that is a class would copy the exchange for each question otherwise,
  /// at a higher cost than parsing the head.
  package mutating func received() -> ReceivedHead { parser.received() }

  /// The trailer fields, after the end; nil if there are none. Mutating for the same reason.
  package mutating func receivedTrailers() -> FieldBlock? { hasTrailers ? trailers : nil }
}

extension HeadReader {
  /// Mutating for the same reason.
  mutating func received() -> ResponseHead {
    ResponseHead(minorVersion: minorVersion, status: status, reason: reason, fields: block)
  }
}
