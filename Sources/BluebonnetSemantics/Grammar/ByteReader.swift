// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Walks over the bytes of a field's value.
package struct ByteReader {
  package let bytes: [UInt8]
  package var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte; nil at the end.
  package var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Steps over a byte, if it is the next one.
  package mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  /// Steps over all bytes of a kind.
  @discardableResult
  package mutating func run(_ isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let byte = current, isIncluded(byte) { position += 1 }
    return bytes[start..<position]
  }

  package mutating func skipSpace() { run(Byte.isWhitespace) }

  /// Steps over a token (RFC 9110 §5.6.2); empty if there is none.
  package mutating func token() -> String { String(decoding: run(ByteClass.token.contains), as: UTF8.self) }

  /// Steps over a quoted string (RFC 9110 §5.6.4), which begins here. Without an end, all the rest is a part of it.
  ///
  /// - Returns: The text with escapes undone, and whether it has an end.
  package mutating func quotedString() -> (text: String, isClosed: Bool) {
    var text: [UInt8] = []
    position += 1
    while let byte = current {
      position += 1
      if byte == Byte.quote { return (String(decoding: text, as: UTF8.self), true) }
      if byte == Byte.backslash, let escaped = current {
        position += 1
        text.append(escaped)
      } else {
        text.append(byte)
      }
    }
    return (String(decoding: text, as: UTF8.self), false)
  }
}
