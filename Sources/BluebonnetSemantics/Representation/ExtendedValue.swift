// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// `charset "'" [ language ] "'" value-chars` (RFC 8187 §3.2).
enum ExtendedValue {
  /// The decoded text; nil if a quote is missing, or the charset is unknown or does not fit the bytes. An omitted
  /// charset is taken as UTF-8, and a percent sign without two digits as itself, as all clients do.
  static func decode(_ text: String) -> String? {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[2].contains(UInt8(ascii: "'")) else { return nil }
    let bytes = PercentCoding.decoded(parts[2])
    switch String(parts[0])?.lowercased() {
    case "", "utf-8", "utf8": return String(validating: bytes, as: UTF8.self)
    case "iso-8859-1", "latin1":
      var view = String.UnicodeScalarView()
      for byte in bytes { view.append(Unicode.Scalar(byte)) }
      return String(view)
    case "us-ascii": return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
    default: return nil
    }
  }
}
