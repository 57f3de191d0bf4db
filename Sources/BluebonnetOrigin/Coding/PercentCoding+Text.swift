// SPDX-License-Identifier: MIT
import BluebonnetSemantics

// Paths, queries and forms.
extension PercentCoding {
  /// Decodes `text`; a `%` that no two hexadecimal digits follow stays as it is.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    let bytes = text.utf8.map { plusIsSpace && $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: decoded(bytes), as: UTF8.self)
  }

  /// The pairs of a query or of an `application/x-www-form-urlencoded` body, in the order they came.
  static func pairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        decode(parts[0], plusIsSpace: true), parts.count > 1 ? decode(parts[1], plusIsSpace: true) : ""
      )
    }
  }
}
