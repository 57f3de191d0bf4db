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
    var scanner = Scanner(bytes: Array(value.utf8))
    while let directive = scanner.next() { body(directive) }
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position = 0

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func next() -> CacheDirective? {
      // Empty members are none (RFC 9110 §5.6.1.2).
      while let byte = current, byte == Byte.comma || Byte.isWhitespace(byte) { position += 1 }
      guard position < bytes.count else { return nil }
      let start = position
      let name = token()
      var argument: String?
      var isWhole = !name.isEmpty
      if isWhole, current == Byte.equals {
        position += 1
        argument = current == Byte.quote ? quotedString() : token()
        isWhole = argument.map { !$0.isEmpty || bytes[position - 1] == Byte.quote } ?? false
      }
      while let byte = current, Byte.isWhitespace(byte) { position += 1 }
      if isWhole, position == bytes.count || current == Byte.comma {
        return CacheDirective(name: name.asciiLowercased, argument: argument, isWellFormed: true)
      }
      while let byte = current, byte != Byte.comma { position += 1 }
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      return CacheDirective(name: text.asciiLowercased, argument: nil, isWellFormed: false)
    }

    private mutating func token() -> String {
      let start = position
      while let byte = current, ByteClass.token.contains(byte) { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Nil for one without an end, of which all the rest is a part then.
    private mutating func quotedString() -> String? {
      var text: [UInt8] = []
      position += 1
      while let byte = current {
        position += 1
        switch byte {
        case Byte.quote: return String(decoding: text, as: UTF8.self)
        case Byte.backslash:
          guard let escaped = current else { return nil }
          text.append(escaped)
          position += 1
        default: text.append(byte)
        }
      }
      return nil
    }
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
