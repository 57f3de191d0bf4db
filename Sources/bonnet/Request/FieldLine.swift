// SPDX-License-Identifier: MIT

/// The value of `-H`.
struct FieldLine: Equatable, Sendable {
  let name: String
  /// Nil if the field is not to be sent.
  let value: String?

  /// The text behind the colon, as it was typed.
  let rest: String

  /// Nil for text that is no field, passed over as curl does.
  init?(_ text: String) {
    if let halves = ByteText.halves(text, at: ":") {
      (name, rest) = halves
      let value = ByteText.trimmed(rest, keepsEnd: true)
      self.value = value.isEmpty ? nil : value
    } else if text.unicodeScalars.last == ";" {
      name = String(text.unicodeScalars.dropLast())
      value = ""
      rest = ""
    } else {
      return nil
    }
    guard !name.isEmpty else { return nil }
  }

  /// The lines that a `-H` stands for; `@file` holds one for each field.
  static func texts(
    of value: String, read: (String) throws(CommandError) -> [UInt8]
  ) throws(CommandError) -> [String] {
    guard value.unicodeScalars.first == "@" else { return [value] }
    let bytes = try read(String(value.unicodeScalars.dropFirst()))
    // CR ends a line, too, wherever it stands: it would be a part of no value (RFC 9110 §5.5).
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { ByteText.text($0) }
    // A line of a file that is no field is none of the user's making.
    return lines.filter {
      let scalars = $0.unicodeScalars
      return scalars.first != "#" && (scalars.contains(":") || scalars.last == ";")
    }
  }
}
