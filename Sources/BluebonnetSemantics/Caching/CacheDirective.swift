// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// One member of a `Cache-Control` field (RFC 9111 §5.2).
struct CacheDirective: Sendable, Hashable {
  /// In lower case. Of a member that is none by the grammar: all of its text.
  let name: String
  /// The text after the equals sign, with the quotes of a quoted string undone.
  let argument: String?
  /// Whether it is written as the grammar says.
  let isWellFormed: Bool

  /// Visits the members of one field line. Both forms of arguments are read for every directive, as §5.2 asks for.
  ///
  /// Words that are no member by the grammar are visited, too: a misspelled restriction is still one.
  static func forEach(in value: String, _ body: (CacheDirective) -> Void) {
    var reader = ByteReader(Array(value.utf8))
    while let directive = reader.directive() { body(directive) }
  }
}

extension ByteReader {
  fileprivate mutating func directive() -> CacheDirective? {
    // Empty members are none (RFC 9110 §5.6.1.2).
    run { $0 == Byte.comma || Byte.isWhitespace($0) }
    guard current != nil else { return nil }
    let start = position
    let name = token()
    var argument: String?
    var isWhole = !name.isEmpty
    if isWhole, take(Byte.equals) {
      if current == Byte.quote {
        (argument, isWhole) = quotedString()
      } else {
        let word = token()
        (argument, isWhole) = (word, !word.isEmpty)
      }
    }
    skipSpace()
    if isWhole, current == nil || current == Byte.comma {
      return CacheDirective(name: name.asciiLowercased, argument: argument, isWellFormed: true)
    }
    run { $0 != Byte.comma }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    return CacheDirective(name: text.asciiLowercased, argument: nil, isWellFormed: false)
  }
}

/// A number of seconds as caches write it (RFC 9111 §1.2.2).
enum DeltaSeconds {
  /// The value of everything that is too large, and of forever.
  static var forever: Int { 1 << 31 }

  /// Nil for text with anything but digits.
  static func parse(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(Byte.isDigit) else { return nil }
    return min(Int(text) ?? forever, forever)
  }
}
