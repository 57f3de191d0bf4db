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
      text += offset(start) + ": "
      if !isTextOnly {
        for index in start..<(start + width) { text += index < bytes.count ? two(bytes[index]) + " " : "   " }
      }
      text +=
        String(decoding: bytes[start..<end].map { (0x20..<0x7F).contains($0) ? $0 : 0x2E }, as: UTF8.self)
        + "\n"
      start = next
    }
    return text
  }

  private static func offset(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func two(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
