/// Base64 as RFC 4648 §4 writes it; padding may be missing.
enum Base64 {
  /// The decoded bytes, or nil if `text` is not base64.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
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
