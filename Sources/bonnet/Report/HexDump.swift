// SPDX-License-Identifier: MIT

/// Bytes as `--trace` and `--trace-ascii` show them.
enum HexDump {
  /// - Parameter isTextOnly: without hexadecimal; then a line ends where the text's does.
  static func lines(_ bytes: [UInt8], isTextOnly: Bool) -> String {
    let width = isTextOnly ? 64 : 16
    var text = ""
    var start = 0
    while start < bytes.count {
      var end = min(start + width, bytes.count)
      var next = end
      if isTextOnly {
        for index in start..<end
        where bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A {
          (end, next) = (index, index + 2)
          break
        }
        // A line end right behind a full line ends this one.
        if next == end, end + 1 < bytes.count, bytes[end] == 0x0D, bytes[end + 1] == 0x0A { next = end + 2 }
      }
      text += Decimals.padded(start, to: 4, radix: 16) + ": "
      if !isTextOnly {
        for index in start..<(start + width) {
          text += index < bytes.count ? Decimals.padded(Int(bytes[index]), to: 2, radix: 16) + " " : "   "
        }
      }
      text +=
        String(decoding: bytes[start..<end].map { (0x20..<0x7F).contains($0) ? $0 : 0x2E }, as: UTF8.self)
        + "\n"
      start = next
    }
    return text
  }
}
