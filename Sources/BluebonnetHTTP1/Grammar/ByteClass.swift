/// A set of ASCII bytes as two 64-bit masks: membership is a shift and a mask, without a table in memory.
struct ByteClass: Sendable {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let half = byte & 0x40 == 0 ? low : high
    return byte < 0x80 && (half &>> UInt64(byte & 63)) & 1 == 1
  }

  /// `tchar` of RFC 9110 §5.6.2. A test compares the masks with the characters spelled out.
  static var token: ByteClass { ByteClass(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }
}

/// Named bytes of the grammar.
enum Byte {
  static var tab: UInt8 { 0x09 }
  static var lf: UInt8 { 0x0A }
  static var cr: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  static var quote: UInt8 { 0x22 }
  static var comma: UInt8 { 0x2C }
  static var slash: UInt8 { 0x2F }
  static var colon: UInt8 { 0x3A }
  static var semicolon: UInt8 { 0x3B }
  static var equals: UInt8 { 0x3D }
  static var backslash: UInt8 { 0x5C }

  /// `CTL` without HTAB: what neither a field value nor a reason phrase may hold.
  @inline(__always)
  static func isForbiddenInValue(_ byte: UInt8) -> Bool {
    (byte < 0x20 && byte != tab) || byte == 0x7F
  }

  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// `VCHAR`: the outer bound of every byte a request target can hold.
  @inline(__always)
  static func isVisible(_ byte: UInt8) -> Bool { byte &- 0x21 < 0x5E }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
