/// How the end of a body is found (RFC 9112 §6.3).
enum BodyFraming: Sendable, Equatable {
  case none
  case length(Int)
  case chunked
  case untilClose
}

/// What the framing fields of one head amount to.
struct FramingFacts {
  /// The announced length, valid or not needed.
  var contentLength: Int?
  var isChunked = false
  /// Something about the framing was repaired or contradictory: the connection must not be used again.
  var isDoubtful = false
  var closes = false
  var keepsAlive = false
  /// The first rule broken by a framing field, to be thrown unless the message has no body anyway.
  var broken: HTTP1Error?

  /// Reads Content-Length, Transfer-Encoding and Connection. `origin` is the head's offset, for errors.
  init(_ fields: FieldBlock, minorVersion: Int, mode: ParsingMode, origin: Int) {
    readConnection(fields)
    if fields.contains(.contentLength) { readContentLength(fields, origin) }
    guard fields.contains(.transferEncoding) else { return }
    readTransferEncoding(fields, mode, origin)
    if fields.contains(.contentLength) {
      // RFC 9112 §6.3 item 3: a sign of smuggling that ought to be an error. Lenient: the transfer coding counts,
      // and nothing else is read from the connection (§6.1).
      if mode == .strict { fail(.contentLengthWithTransferEncoding, fields, .transferEncoding, origin) }
      contentLength = nil
      isDoubtful = true
    }
    // §6.1: an HTTP/1.0 peer cannot know the field; its framing is faulty even if it looks right.
    if minorVersion == 0 { isDoubtful = true }
  }

  /// RFC 9112 §9.3. Proxy-Connection is no standard, but whoever says `close` in it will close.
  private mutating func readConnection(_ fields: FieldBlock) {
    guard fields.present & (KnownField.connection.bit | KnownField.proxyConnection.bit) != 0 else { return }
    closes =
      fields.contains(.connection, element: "close") || fields.contains(.proxyConnection, element: "close")
    keepsAlive = fields.contains(.connection, element: "keep-alive")
  }

  /// RFC 9110 §8.6: digits that fit. RFC 9112 §6.3 item 5: a repeated value counts once if all are the same.
  private mutating func readContentLength(_ fields: FieldBlock, _ origin: Int) {
    var count = 0
    for range in fields.ranges where range.known == KnownField.contentLength.rawValue {
      let before = count
      ListElement.forEach(in: fields.bytes, range.value) { element in
        count += 1
        guard let length = Self.decimal(element) else {
          note(.invalidContentLength, origin &+ element.range.lowerBound)
          return
        }
        if let contentLength, contentLength != length {
          note(.conflictingContentLength, origin &+ element.range.lowerBound)
        }
        contentLength = length
      }
      if count == before { note(.invalidContentLength, origin &+ range.value.lowerBound) }
      if Self.hasEmptyElement(fields.bytes, range.value) {
        note(.invalidContentLength, origin &+ range.value.lowerBound)
      }
    }
    if count > 1 { isDoubtful = true }
    if broken != nil { contentLength = nil }
  }

  /// The only transfer coding spoken here is `chunked`, once (RFC 9112 §6.1, §7). Others are sent only to peers
  /// that ask with TE, which this client does not; and a body that is read "until close" because of one would
  /// reach the caller undecoded.
  private mutating func readTransferEncoding(_ fields: FieldBlock, _ mode: ParsingMode, _ origin: Int) {
    var chunkedCount = 0
    var others = 0
    fields.forEachElement(of: .transferEncoding) { coding in
      if coding.equals("chunked") {
        chunkedCount += 1
      } else if mode == .lenient, coding.equals("identity") {
        // Removed from the registry by RFC 7230; it never changed a byte. Someone who still sends it is not
        // trusted with a second message.
        isDoubtful = true
      } else {
        others += 1
      }
    }
    isChunked = chunkedCount == 1 && others == 0
    let isOnlyIdentity = chunkedCount == 0 && others == 0 && isDoubtful
    if !isChunked, !isOnlyIdentity {
      fail(.unsupportedTransferEncoding, fields, .transferEncoding, origin)
    }
  }

  private mutating func fail(
    _ rule: HTTP1Error.Rule, _ fields: FieldBlock, _ field: KnownField, _ origin: Int
  ) {
    let offset = fields.index(of: field).map { fields.ranges[$0].value.lowerBound } ?? 0
    note(rule, origin &+ offset)
  }

  private mutating func note(_ rule: HTTP1Error.Rule, _ offset: Int) {
    if broken == nil { broken = HTTP1Error(rule, offset: offset) }
  }

  private static func decimal(_ element: ListElement) -> Int? {
    var value = 0
    for index in element.range {
      let byte = element.bytes[index]
      guard Byte.isDigit(byte) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int(byte &- 0x30))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }

  /// `Content-Length: 5,` is not `1#Content-Length` made by any list-joining intermediary.
  private static func hasEmptyElement(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var isEmpty = true
    for index in range {
      if bytes[index] == Byte.comma {
        if isEmpty { return true }
        isEmpty = true
      } else if !Byte.isWhitespace(bytes[index]) {
        isEmpty = false
      }
    }
    return isEmpty
  }
}
