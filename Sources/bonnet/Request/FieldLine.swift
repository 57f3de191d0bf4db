/// The value of `-H`.
struct FieldLine: Equatable, Sendable {
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

  /// The lines that a `-H` stands for; `@file` holds one for each field.
  static func texts(
    of value: String, read: (String) throws(CommandError) -> [UInt8]
  ) throws(CommandError) -> [String] {
    guard value.hasPrefix("@") else { return [value] }
    let text = String(decoding: try read(String(value.dropFirst())), as: UTF8.self)
    // A line of a file that is no field is none of the user's making.
    return text.split(whereSeparator: \.isNewline).map(String.init).filter {
      !$0.hasPrefix("#") && ($0.contains(":") || $0.hasSuffix(";"))
    }
  }
}
