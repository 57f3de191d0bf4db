// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// A file of options, as `-K` reads it: one a line, with or without hyphens, a value behind blanks, `=` or `:`.
enum ConfigFile {
  struct Line: Equatable {
    let name: String
    let value: String?
    let number: Int

    /// Whether a value that no option takes may be the beginning of a remark.
    static func isRemark(_ value: String) -> Bool { value.isEmpty || value.unicodeScalars.first == "#" }
  }

  /// - Parameter path: What the file is called where something is wrong with it.
  static func lines(_ text: String, path: String) throws(CommandError) -> [Line] {
    var lines: [Line] = []
    // By scalars, as all that follows: CR and LF together are one character, and so is a quote with a combining mark.
    for (index, text) in ByteText.split(text, at: "\n").enumerated() {
      guard let line = try line(text, number: index + 1, path: path) else { continue }
      lines.append(line)
    }
    return lines
  }

  private static func line(
    _ text: String, number: Int, path: String
  ) throws(CommandError) -> Line? {
    var rest = text.unicodeScalars.drop(while: isBlank)
    if rest.isEmpty || rest.first == "#" { return nil }
    // `:` and `=` end a name only where it has no hyphens, as in `-:`.
    let hasHyphens = rest.first == "-"
    let word = rest.prefix { !isBlank($0) && (hasHyphens || $0 != "=" && $0 != ":") }
    let name = String(word)
    rest = rest[word.endIndex...].drop { isBlank($0) || !hasHyphens && ($0 == "=" || $0 == ":") }
    guard !name.isEmpty else { throw fault(path, number, "there is no option before '='") }
    guard let first = rest.first else { return Line(name: name, value: nil, number: number) }
    if first == "\"" {
      guard let value = quoted(rest.dropFirst()) else { throw fault(path, number, "a quote is not closed") }
      return Line(name: name, value: value, number: number)
    }
    // What follows a blank behind it counts as a remark, as with curl.
    return Line(name: name, value: String(rest.prefix { !isBlank($0) }), number: number)
  }

  /// Up to the quote that closes it; nil without one.
  private static func quoted(_ text: Substring.UnicodeScalarView) -> String? {
    var value = String.UnicodeScalarView()
    var rest = text
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return String(value) }
      guard scalar == "\\", let next = rest.popFirst() else {
        value.append(scalar)
        continue
      }
      switch next {
      case "t": value.append("\t")
      case "n": value.append("\n")
      case "r": value.append("\r")
      case "v": value.append("\u{0B}")
      default: value.append(next)
      }
    }
    return nil
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r"
  }

  private static func fault(_ path: String, _ number: Int, _ what: String) -> CommandError {
    CommandError(.usage, "\(path), line \(number): \(what)")
  }
}

extension ConfigFile {
  /// `.curlrc` in the first of the folders where curl looks for it; nil if there is none.
  static var usualPath: String? {
    let variables: [String] = ["CURL_HOME", "XDG_CONFIG_HOME", "HOME"]
    let paths = variables.compactMap { name in getenv(name).map { String(cString: $0) + "/.curlrc" } }
    return paths.first { path in access(path, R_OK) == 0 }
  }
}
