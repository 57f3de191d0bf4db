/// One element of a comma-separated list (RFC 9110 §5.6.1), in the bytes of a block.
struct ListElement {
  let bytes: [UInt8]
  let range: Range<Int>

  /// Visits the elements between commas, without whitespace around them and without empty ones. Commas in
  /// quoted strings are not special here: the fields read with this (Connection, Transfer-Encoding,
  /// Content-Length) are lists of tokens, and a quote makes an element that matches none of them.
  static func forEach(in bytes: [UInt8], _ range: Range<Int>, _ body: (ListElement) -> Void) {
    var start = range.lowerBound
    var index = start
    while index <= range.upperBound {
      if index == range.upperBound || bytes[index] == Byte.comma {
        let element = trimmed(bytes, start..<index)
        if !element.isEmpty { body(ListElement(bytes: bytes, range: element)) }
        start = index + 1
      }
      index += 1
    }
  }

  static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Byte.isWhitespace(bytes[start]) { start += 1 }
    while end > start, Byte.isWhitespace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// Compares in any case of letters; `token` is given in lower case.
  func equals(_ token: StaticString) -> Bool {
    guard token.utf8CodeUnitCount == range.count else { return false }
    for (offset, index) in range.enumerated()
    where Byte.lowercased(bytes[index]) != token.utf8Start[offset] { return false }
    return true
  }
}
