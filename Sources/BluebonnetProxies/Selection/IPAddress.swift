// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// An IP address as its bytes: four, or sixteen.
package struct IPAddress: Hashable, Sendable {
  package let bytes: [UInt8]

  package var isIPv6: Bool { bytes.count == 16 }

  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads four decimal numbers, or the forms of RFC 4291 §2.2 without brackets and without a zone.
  package init?(_ text: some StringProtocol) {
    let text = Array(text.utf8)
    guard let bytes = text.contains(Byte.colon) ? Self.ipv6(text[...]) : Self.ipv4(text[...]) else {
      return nil
    }
    self.bytes = bytes
  }

  /// Whether the first `count` bits are those of another address of the same family.
  package func shares(_ count: Int, bitsWith other: IPAddress) -> Bool {
    guard bytes.count == other.bytes.count, count >= 0, count <= bytes.count * 8 else { return false }
    let whole = count / 8
    guard bytes[..<whole] == other.bytes[..<whole] else { return false }
    let rest = count % 8
    return rest == 0 || (bytes[whole] ^ other.bytes[whole]) >> UInt8(8 - rest) == 0
  }

  private static func ipv4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = text.split(separator: Byte.dot, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let numbers = parts.compactMap(number)
    return numbers.count == 4 ? numbers : nil
  }

  /// A decimal number up to 255, without a zero in front, which some read as octal.
  static func number(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard (1...3).contains(digits.count), digits.allSatisfy(Byte.isDigit),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self))
  }

  private static func ipv6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    // What stands before and behind the one `::` there may be.
    let gap = text.indices.dropLast().first { text[$0] == Byte.colon && text[$0 + 1] == Byte.colon }
    guard let gap else { return groups(text).flatMap { $0.count == 16 ? $0 : nil } }
    guard let head = gap == text.startIndex ? [] : groups(text[..<gap]),
      let tail = gap + 2 == text.endIndex ? [] : groups(text[(gap + 2)...]),
      head.count + tail.count <= 14
    else { return nil }
    return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  /// Groups of up to four digits; the last two may be written as an IPv4 address.
  private static func groups(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    let parts = text.split(separator: Byte.colon, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(Byte.dot) {
        guard let address = ipv4(part) else { return nil }
        bytes += address
      } else {
        guard (1...4).contains(part.count) else { return nil }
        var value: UInt16 = 0
        for digit in part {
          guard let digit = Byte.hexadecimalValue(digit) else { return nil }
          value = value << 4 | UInt16(digit)
        }
        bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
      }
      guard bytes.count <= 16 else { return nil }
    }
    return bytes
  }
}
