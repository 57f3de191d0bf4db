// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension Location {
  /// Resolves a reference: relative to the address of the request, and with that one's fragment if it has none itself
  /// (RFC 9110 §10.2.2).
  ///
  /// - Parameter inheritsFragment: False for references that are no redirection (RFC 3986 §5.2.2).
  /// - Returns: An absolute URI, of any scheme and perhaps without a usable host; nil for a reference with control characters.
  package static func resolve(
    _ reference: String, against base: String, inheritsFragment: Bool = true
  ) -> String? {
    let text = Array(reference.trimmingOptionalWhitespace.utf8)
    guard !text.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    let origin = URIReference(base.utf8)
    var target = URIReference(encoded(text)).resolved(against: origin)
    if inheritsFragment { target.fragment = target.fragment ?? origin.fragment }
    return target.text
  }

  /// Whether a reference begins with a scheme (RFC 3986 §4.3).
  package static func isAbsolute(_ reference: String) -> Bool {
    URIReference(reference.trimmingOptionalWhitespace.utf8).scheme != nil
  }

  /// With what no URL may contain percent-encoded, and the percent signs that are there left alone.
  private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    let authorityEnd = authorityEnd(of: bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      let isKept =
        switch byte {
        case 0x80..., 0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
          UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
          false
        case Byte.openBracket, Byte.closeBracket: index < authorityEnd
        case Byte.percent:
          PercentCoding.value(bytes[(index + 1)...].prefix(2)) != nil
        default: true
        }
      if isKept { result.append(byte) } else { result += Byte.percentEncoded(byte) }
    }
    return result
  }

  /// The end of the host, perhaps in brackets; 0 without one (RFC 3986 §4.2).
  private static func authorityEnd(of bytes: [UInt8]) -> Int {
    func isDelimiter(_ byte: UInt8) -> Bool {
      byte == Byte.slash || byte == Byte.question || byte == Byte.hash
    }
    let pathStart = bytes.firstIndex(where: isDelimiter) ?? bytes.count
    let start = bytes[..<pathStart].firstIndex(of: Byte.colon).map { $0 + 1 } ?? 0
    guard bytes[start...].starts(with: [Byte.slash, Byte.slash]) else { return 0 }
    return bytes[(start + 2)...].firstIndex(where: isDelimiter) ?? bytes.count
  }
}
