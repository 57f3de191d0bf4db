/// A response's head, and what it says about the body behind it.
package struct ReceivedHead {
  package let head: ResponseHead
  /// As Content-Length says, also where no body follows (HEAD, 304).
  package let contentLength: Int?
  /// How many bytes of content come; nil if that is unknown.
  package let bytesExpected: Int?
  /// What was wrong so far and let pass.
  package let repairs: Repairs
}

extension HTTP1Exchange {
  /// How many bytes of the response were done with before the head that is being read: errors in it count from there on.
  package var headOffset: Int { parser.headOffset }

  /// The head of the last interim or final response, with all that is to be known about it.
  ///
  /// Mutating, though nothing changes: whoever keeps the exchange in a class would copy it for each question otherwise,
  /// which costs more than to parse the head.
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
