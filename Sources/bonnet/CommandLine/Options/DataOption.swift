// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// The values of `-d` and its kin.
enum DataOption {
  case form
  case raw
  case binary
  case encoded
  case json

  /// The bytes that are meant. A file is named behind `@`.
  func body(_ text: String, files: BodyFiles) throws(CommandError) -> BodyPlan {
    switch self {
    case .raw: return BodyPlan(ByteText.bytes(text))
    case .encoded: return BodyPlan(try Self.encoded(text, files: files))
    case .form, .binary, .json:
      guard text.unicodeScalars.first == "@" else { return BodyPlan(ByteText.bytes(text)) }
      let path = String(text.unicodeScalars.dropFirst())
      guard case .form = self else { return try files.body(path) }
      // A file given to -d is taken for text, without its line ends.
      return BodyPlan(try files.read(path).filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 })
    }
  }

  /// `content`, `=content`, `name=content`, `@file` or `name@file`; only the content is escaped.
  static func encoded(_ text: String, files: BodyFiles) throws(CommandError) -> [UInt8] {
    let scalars = text.unicodeScalars
    // With an `=` no file is named, even where an `@` stands before it: it may be a part of a name.
    guard let mark = scalars.firstIndex(of: "=") ?? scalars.firstIndex(of: "@") else {
      return PercentCoding.encodedForm(ByteText.bytes(text))
    }
    let name = String(scalars[..<mark])
    let rest = String(scalars[scalars.index(after: mark)...])
    let content = scalars[mark] == "@" ? try files.read(rest) : ByteText.bytes(rest)
    return ByteText.bytes(name) + (name.isEmpty ? [] : [UInt8(ascii: "=")])
      + PercentCoding.encodedForm(content)
  }
}
