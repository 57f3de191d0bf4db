// SPDX-License-Identifier: MIT

/// The server's message (CHALLENGE_MESSAGE, MS-NLMP §2.2.1.2). It may contain anything.
package struct NTLMChallenge: Sendable, Equatable {
  /// A statement of the server about itself, with its number (§2.2.2.1).
  struct Attribute: Sendable, Equatable {
    static let end: UInt16 = 0
    static let flags: UInt16 = 6
    static let timestamp: UInt16 = 7

    let id: UInt16
    let value: [UInt8]
  }

  /// The message, which a code over all messages needs.
  let bytes: [UInt8]
  let flags: NTLMFlags
  let challenge: [UInt8]
  /// In their order, without the end.
  let attributes: [Attribute]

  /// Nil for bytes that are no such message.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 32, bytes.starts(with: "NTLMSSP\u{0}".utf8), Self.number(bytes, 8) == 2 else {
      return nil
    }
    self.bytes = bytes
    flags = NTLMFlags(rawValue: Self.number(bytes, 20))
    challenge = Array(bytes[24..<32])
    guard flags.contains(.targetInfo), bytes.count >= 48 else {
      attributes = []
      return
    }
    let length = Int(Self.short(bytes, 40))
    let start = Int(Self.number(bytes, 44))
    guard start >= 32, start <= bytes.count, length <= bytes.count - start,
      let attributes = Self.attributes(bytes[start..<(start + length)])
    else { return nil }
    self.attributes = attributes
  }

  /// The time of the message, as a FILETIME of eight bytes; nil if it does not say.
  var timestamp: [UInt8]? {
    attributes.first { $0.id == Attribute.timestamp && $0.value.count == 8 }?.value
  }

  private static func attributes(_ bytes: ArraySlice<UInt8>) -> [Attribute]? {
    var attributes: [Attribute] = []
    var rest = bytes
    while rest.count >= 4 {
      let fixed = Array(rest.prefix(4))
      let (id, length) = (short(fixed, 0), Int(short(fixed, 2)))
      rest = rest.dropFirst(4)
      if id == Attribute.end { return attributes }
      guard length <= rest.count else { return nil }
      attributes.append(Attribute(id: id, value: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    // An end that is missing is no harm, half an attribute is.
    return rest.isEmpty ? attributes : nil
  }

  private static func short(_ bytes: [UInt8], _ at: Int) -> UInt16 {
    UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    UInt32(short(bytes, at)) | UInt32(short(bytes, at + 2)) << 16
  }
}
