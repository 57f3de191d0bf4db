/// The value of `-H`.
struct FieldLine: Equatable {
  let name: String
  /// Nil if the field is not to be sent.
  let value: String?

  init(_ text: String) throws(CommandError) {
    if let colon = text.firstIndex(of: ":") {
      name = String(text[..<colon])
      let rest = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      value = rest.isEmpty ? nil : String(rest)
    } else if text.hasSuffix(";") {
      name = String(text.dropLast())
      value = ""
    } else {
      // What follows the first word may be a token.
      let word = text.prefix { $0 != " " && $0 != "=" }
      throw CommandError(.usage, "a field is written as 'Name: value'; there is no colon in '\(word)…'")
    }
    guard !name.isEmpty else {
      throw CommandError(.usage, "a field is written as 'Name: value'; there is no name before the colon")
    }
  }

  /// The values of all `-H`; `@file` holds one line for each field.
  static func lines(
    of values: [String], read: (String) throws(CommandError) -> [UInt8]
  ) throws(CommandError) -> [FieldLine] {
    var lines: [FieldLine] = []
    for value in values {
      guard value.hasPrefix("@") else {
        lines.append(try FieldLine(value))
        continue
      }
      let text = String(decoding: try read(String(value.dropFirst())), as: UTF8.self)
      for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
        lines.append(try FieldLine(String(line)))
      }
    }
    return lines
  }
}
