import BluebonnetFoundation

/// The file name in a `Content-Disposition` (RFC 6266).
enum ContentDispositionName {
  /// `filename*` goes before `filename` (§4.3); an encoding that is not UTF-8 or ISO 8859-1 is passed over (RFC 8187).
  static func parse(_ value: String) -> String? {
    var plain: String?
    var extended: String?
    for (name, text) in parameters(of: value) {
      if name == "filename" { plain = plain ?? text }
      if name == "filename*" { extended = extended ?? decoded(text) }
    }
    return extended ?? plain
  }

  /// Name (in lower case) and value of each parameter, unquoted.
  private static func parameters(of value: String) -> [(String, String)] {
    var result: [(String, String)] = []
    var rest = value.utf8[...].drop { $0 != UInt8(ascii: ";") }
    while !rest.isEmpty {
      rest = rest.dropFirst()
      let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
      rest = rest[name.endIndex...]
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
      let text = rest.first == UInt8(ascii: "\"") ? quoted(&rest) : bare(&rest)
      result.append((Substring(name).trimmingOptionalWhitespace.asciiLowercased, text))
    }
    return result
  }

  private static func bare(_ rest: inout Substring.UTF8View) -> String {
    let text = rest.prefix { $0 != UInt8(ascii: ";") }
    rest = rest[text.endIndex...]
    return String(Substring(text).trimmingOptionalWhitespace)
  }

  /// Browsers escape nothing but quotes and backslashes, and so a backslash before anything else is kept.
  private static func quoted(_ rest: inout Substring.UTF8View) -> String {
    var bytes: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      let escapes = byte == UInt8(ascii: "\\") && (rest.first == UInt8(ascii: "\"") || rest.first == byte)
      if escapes, let next = rest.popFirst() { bytes.append(next) } else { bytes.append(byte) }
    }
    rest = rest.drop { $0 != UInt8(ascii: ";") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `charset'language'percent-encoded` (RFC 8187 §3.2).
  private static func decoded(_ text: String) -> String? {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = percentDecoded(parts[2].utf8) else { return nil }
    switch parts[0].asciiLowercased {
    case "utf-8": return String(validating: bytes, as: UTF8.self)
    case "iso-8859-1":
      var scalars = String.UnicodeScalarView()
      for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
      return String(scalars)
    default: return nil
    }
  }

  private static func percentDecoded(_ text: Substring.UTF8View) -> [UInt8]? {
    var rest = text
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(Substring(digits), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
