// SPDX-License-Identifier: MIT

/// Base64 (RFC 4648 §4), for the layers that know no Foundation.
package enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// With padding, in one line.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var bitCount = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      bitCount += 8
      while bitCount >= 6 {
        bitCount -= 6
        encoded.append(digits[Int(bits >> UInt32(bitCount) & 63)])
      }
    }
    if bitCount > 0 { encoded.append(digits[Int(bits << UInt32(6 - bitCount) & 63)]) }
    while encoded.count % 4 != 0 { encoded.append(UInt8(ascii: "=")) }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The decoded bytes, or nil if `text` is not base64. Padding may be missing.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var bitCount = 0
    var padding = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let sextet = sextet(byte) else { return nil }
      bits = bits << 6 | sextet
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    // Six left-over bits are half a byte: a digit is missing.
    return padding <= 2 && bitCount < 6 ? decoded : nil
  }

  private static func sextet(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
