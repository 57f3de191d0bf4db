/// A field value such as `multipart/form-data; boundary="a b"`, taken apart (RFC 9110 §5.6.6).
struct FieldParameters {
  /// The text before the first semicolon, in lower case.
  let value: String
  private let parameters: [(name: String, value: String)]

  init(_ text: String) {
    var pieces = Self.split(text, at: ";")
    value = trimmed(pieces.removeFirst()).lowercased()
    parameters = pieces.compactMap(Self.parameter)
  }

  /// The first parameter of that name, given in lower case.
  subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// `name=value` or `name="value"`; the name comes back in lower case.
  static func parameter(_ piece: Substring) -> (name: String, value: String)? {
    guard let equals = piece.firstIndex(of: "=") else { return nil }
    let name = trimmed(piece[..<equals]).lowercased()
    return (name, unquoted(trimmed(piece[piece.index(after: equals)...])))
  }

  /// Splits where `separator` stands outside quotes.
  static func split(_ text: some StringProtocol, at separator: Character) -> [Substring] {
    let text = String(text)
    var pieces: [Substring] = []
    var start = text.startIndex
    var isQuoted = false
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == separator, !isQuoted {
        pieces.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return pieces + [text[start...]]
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
    var content = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else {
        content.append(character)
        isEscaped = false
      }
    }
    return content
  }
}

/// `text` without the blanks around it (RFC 9110 §5.6.3).
func trimmed(_ text: some StringProtocol) -> Substring {
  var text = Substring(text)
  while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
  while let last = text.last, last == " " || last == "\t" { text.removeLast() }
  return text
}
