// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Reads a JSON object with nothing but strings for values; anything else is no form.
struct FlatJSONParser {
  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The members of the object in `bytes`, or nil if it is not an object of strings.
  static func pairs(_ bytes: [UInt8]) -> [(name: String, value: String)]? {
    var parser = FlatJSONParser(bytes)
    guard let pairs = parser.object() else { return nil }
    parser.skipSpace()
    return parser.index == bytes.count ? pairs : nil
  }

  private mutating func object() -> [(name: String, value: String)]? {
    guard take("{") else { return nil }
    var pairs: [(name: String, value: String)] = []
    if take("}") { return pairs }
    repeat {
      guard let name = string(), take(":"), let value = string() else { return nil }
      pairs.append((name, value))
    } while take(",")
    return take("}") ? pairs : nil
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var content: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
      case UInt8(ascii: "\\"): guard appendEscape(to: &content) else { return nil }
      case 0..<0x20: return nil
      default: content.append(byte)
      }
    }
    return nil
  }

  private mutating func appendEscape(to content: inout [UInt8]) -> Bool {
    guard index < bytes.count else { return false }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = escapedScalar() else { return false }
      content += Array(String(scalar).utf8)
    default: return false
    }
    return true
  }

  /// RFC 8259 §7: a scalar outside the basic plane is written as two escaped surrogates.
  private mutating func escapedScalar() -> Unicode.Scalar? {
    guard let unit = codeUnit() else { return nil }
    guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
    guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    index += 2
    guard let low = codeUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
  }

  private mutating func codeUnit() -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Byte.hexadecimalValue(bytes[index]) else { return nil }
      unit = unit << 4 | UInt32(digit)
      index += 1
    }
    return unit
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }
}
