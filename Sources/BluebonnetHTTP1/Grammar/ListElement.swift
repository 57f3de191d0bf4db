// SPDX-License-Identifier: MIT

/// One element of a comma-separated list (RFC 9110 §5.6.1). Valid only while its bytes are lent.
struct ListElement {
  let start: UnsafePointer<UInt8>
  let count: Int

  /// Visits the elements of `base[range]` between commas, without whitespace around them and without empty ones.
  /// Commas in quoted strings are not special here: the fields read with this (Connection, Transfer-Encoding,
  /// Content-Length) are lists of tokens, and a quote makes an element that matches none of them.
  @inline(__always)
  static func forEach(_ base: UnsafePointer<UInt8>, _ range: Range<Int>, _ body: (ListElement) -> Void) {
    var start = range.lowerBound
    var index = start
    while index <= range.upperBound {
      if index == range.upperBound || base[index] == Byte.comma {
        let element = trimmed(base, start..<index)
        if !element.isEmpty { body(ListElement(start: base + element.lowerBound, count: element.count)) }
        start = index &+ 1
      }
      index &+= 1
    }
  }

  /// `range` without the whitespace at its ends.
  @inline(__always)
  static func trimmed(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Byte.isWhitespace(base[start]) { start &+= 1 }
    while end > start, Byte.isWhitespace(base[end &- 1]) { end &-= 1 }
    return start..<end
  }

  /// Compares in any case of letters; `token` is given in lower case.
  @inline(__always)
  func equals(_ token: StaticString) -> Bool {
    guard token.utf8CodeUnitCount == count else { return false }
    for index in 0..<count where Byte.lowercased(start[index]) != token.utf8Start[index] { return false }
    return true
  }
}
