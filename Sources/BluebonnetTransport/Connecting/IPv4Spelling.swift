// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The forms of an IPv4 address that `inet_aton`, and with it `getaddrinfo`, takes beside four decimal numbers: one to
/// four numbers, each decimal, octal (`0…`) or hexadecimal (`0x…`), the last one filling the rest.
enum IPv4Spelling {
  /// The address as four decimal numbers; nil for text that is no address, but a name.
  static func canonical(_ text: String) -> String? {
    var numbers: [UInt64] = []
    for part in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard numbers.count < 4, let value = number(part) else { return nil }
      numbers.append(value)
    }
    guard let last = numbers.popLast() else { return nil }
    let free = 4 - numbers.count
    guard numbers.allSatisfy({ $0 < 256 }), last < 1 << UInt64(8 * free) else { return nil }
    for shift in stride(from: 8 * (free - 1), through: 0, by: -8) {
      numbers.append(last >> UInt64(shift) & 0xFF)
    }
    return numbers.map(String.init).joined(separator: ".")
  }

  private static func number(_ digits: Substring.UTF8View) -> UInt64? {
    var digits = digits
    var radix: UInt64 = 10
    if digits.first == UInt8(ascii: "0"), digits.count > 1 {
      digits.removeFirst()
      radix = 8
      if digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X") {
        digits.removeFirst()
        radix = 16
      }
    }
    guard !digits.isEmpty else { return nil }
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = Byte.hexadecimalValue(byte), UInt64(digit) < radix else { return nil }
      value = value * radix + UInt64(digit)
      guard value <= 0xFFFF_FFFF else { return nil }
    }
    return value
  }
}
