// SPDX-License-Identifier: MIT

/// Field values reach their readers as text: UTF-8 where it is that, else ISO 8859-1.
enum Text {
  static func of(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
    return String(scalars)
  }

  /// `pattern` as often as `limit` bytes hold it, each `#` in it replaced by a running number: what grows faster than
  /// its input runs into the fuzzer's time limit.
  static func repeated(_ pattern: ArraySlice<UInt8>, limit: Int) -> [UInt8] {
    guard pattern.count > 1 else { return Array(pattern) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(limit)
    var number = 0
    while bytes.count + pattern.count + 8 <= limit {
      for byte in pattern {
        if byte == UInt8(ascii: "#") { bytes += String(number).utf8 } else { bytes.append(byte) }
      }
      number += 1
    }
    return bytes
  }
}

extension Text {
  /// Without blanks and tabs at either end.
  static func trimmed(_ text: String) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    let rest = text.utf8.drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(decoding: rest[...last], as: UTF8.self)
  }
}
