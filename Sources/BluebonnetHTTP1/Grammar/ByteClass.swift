// SPDX-License-Identifier: MIT

/// A set of ASCII bytes as two 64-bit masks: membership is a shift and a mask, without a table in memory.
package struct ByteClass: Sendable {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  package func contains(_ byte: UInt8) -> Bool {
    let half = byte & 0x40 == 0 ? low : high
    return byte < 0x80 && (half &>> UInt64(byte & 63)) & 1 == 1
  }

  /// `tchar` of RFC 9110 §5.6.2. A test compares the masks with the characters spelled out.
  package static var token: ByteClass { ByteClass(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }
}

/// Named bytes of the grammar, and what kinds of them there are.
package enum Byte {
  package static var tab: UInt8 { 0x09 }
  package static var lf: UInt8 { 0x0A }
  package static var cr: UInt8 { 0x0D }
  package static var space: UInt8 { 0x20 }
  package static var quote: UInt8 { 0x22 }
  package static var comma: UInt8 { 0x2C }
  package static var slash: UInt8 { 0x2F }
  package static var colon: UInt8 { 0x3A }
  package static var semicolon: UInt8 { 0x3B }
  package static var equals: UInt8 { 0x3D }
  package static var backslash: UInt8 { 0x5C }
  package static var hash: UInt8 { 0x23 }
  package static var percent: UInt8 { 0x25 }
  package static var dot: UInt8 { 0x2E }
  package static var question: UInt8 { 0x3F }
  package static var at: UInt8 { 0x40 }
  package static var openBracket: UInt8 { 0x5B }
  package static var closeBracket: UInt8 { 0x5D }

  /// `CTL` without HTAB: what neither a field value nor a reason phrase may hold.
  @inline(__always)
  package static func isForbiddenInValue(_ byte: UInt8) -> Bool {
    (byte < 0x20 && byte != tab) || byte == 0x7F
  }

  @inline(__always)
  package static func isWhitespace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// `VCHAR`: the outer bound of every byte a request target can hold.
  @inline(__always)
  package static func isVisible(_ byte: UInt8) -> Bool { byte &- 0x21 < 0x5E }

  @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// The value of a `HEXDIG`; 255 for other bytes.
  @inline(__always)
  package static func hexadecimal(_ byte: UInt8) -> UInt8 {
    let digit = byte &- 0x30
    if digit < 10 { return digit }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : 255
  }

  /// The value of a `HEXDIG`, or nil.
  package static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    let value = hexadecimal(byte)
    return value < 16 ? value : nil
  }

  /// The upper-case `HEXDIG` of a value below 16.
  package static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? value &+ 0x30 : value &- 10 &+ 0x41
  }

  /// The three bytes that stand for one that must not stand for itself (RFC 3986 §2.1).
  package static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    [percent, hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
  }
}
