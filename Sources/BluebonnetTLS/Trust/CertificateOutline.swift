// SPDX-License-Identifier: MIT

/// The place of the subject's name in a certificate's encoding (RFC 5280 §4.1), found without parsing the rest.
struct CertificateOutline {
  /// The name's own encoding.
  let subject: Range<Int>

  /// - Parameters:
  ///   - der: A certificate in DER.
  ///   - hasMore: Whether something may follow it, as OpenSSL's settings of trust do.
  /// - Returns: `nil` if the encoding is damaged, as far as that shows without a look into the fields.
  init?(_ der: [UInt8], hasMore: Bool = false) {
    var whole = DERReader(der, in: der.indices)
    guard let certificate = whole.next(.sequence), hasMore || whole.isAtEnd else { return nil }
    var parts = DERReader(der, in: certificate.content)
    guard let signed = parts.next(.sequence), parts.next(.sequence) != nil, parts.next(.bitString) != nil,
      parts.isAtEnd
    else { return nil }
    var fields = DERReader(der, in: signed.content)
    // The version is left out where it is 1.
    _ = fields.next(.version)
    guard fields.next(.integer) != nil, fields.next(.sequence) != nil, fields.next(.sequence) != nil,
      fields.next(.sequence) != nil, let subject = fields.next(.sequence), fields.next(.sequence) != nil
    else { return nil }
    while !fields.isAtEnd { guard fields.next() != nil else { return nil } }
    self.subject = subject.whole
  }
}

/// Goes from element to element of a DER encoding (X.690), one level of it.
private struct DERReader {
  struct Tag: Equatable {
    let byte: UInt8

    static let integer = Tag(byte: 0x02)
    static let bitString = Tag(byte: 0x03)
    static let sequence = Tag(byte: 0x30)
    static let version = Tag(byte: 0xA0)
  }

  struct Element {
    let tag: Tag
    let whole: Range<Int>
    let content: Range<Int>
  }

  private let bytes: [UInt8]
  private let end: Int
  private var position: Int

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position == end }

  /// The next element if it is of this kind.
  mutating func next(_ tag: Tag) -> Element? {
    guard position < end, bytes[position] == tag.byte else { return nil }
    return next()
  }

  /// The next element, of whichever kind; `nil` if it is not within the level that it stands in.
  mutating func next() -> Element? {
    let start = position
    guard end - start >= 2 else { return nil }
    var content = start + 2
    var length = Int(bytes[start + 1])
    if length >= 0x80 {
      let count = length & 0x7F
      // Four bytes of length are more than any certificate has, and none is not DER.
      guard (1...4).contains(count), end - content >= count else { return nil }
      length = bytes[content..<(content + count)].reduce(0) { $0 << 8 | Int($1) }
      content += count
    }
    guard length <= end - content else { return nil }
    position = content + length
    return Element(tag: Tag(byte: bytes[start]), whole: start..<position, content: content..<position)
  }
}
