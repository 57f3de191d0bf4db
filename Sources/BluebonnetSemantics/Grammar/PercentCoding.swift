// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Percent-encoding (RFC 3986 §2.1).
public enum PercentCoding {
  /// The bytes without percent-encoding; a percent sign that no two hexadecimal digits follow stands for itself.
  public static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == Byte.percent, let value = value(rest.prefix(2)) {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// The bytes with everything percent-encoded but unreserved characters: letters, digits and `-._~` (RFC 3986 §2.3).
  public static func encoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes { append(byte, to: &result) }
    return result
  }

  /// The same as a form is encoded: a space becomes a plus sign (`application/x-www-form-urlencoded`).
  public static func encodedForm(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      if byte == 0x20 { result.append(UInt8(ascii: "+")) } else { append(byte, to: &result) }
    }
    return result
  }

  private static func append(_ byte: UInt8, to result: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      result.append(byte)
    default:
      result += Byte.percentEncoded(byte)
    }
  }

  /// The byte that two hexadecimal digits stand for; nil if they are not two such digits.
  package static func value(_ digits: some Collection<UInt8>) -> UInt8? {
    guard digits.count == 2, let high = digits.first.flatMap(Byte.hexadecimalValue),
      let low = digits.dropFirst().first.flatMap(Byte.hexadecimalValue)
    else { return nil }
    return high << 4 | low
  }
}
