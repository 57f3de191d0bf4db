// SPDX-License-Identifier: MIT

/// Text for a terminal of a certain width.
enum TextLayout {
  /// Lines of whole words, of `width` columns at most unless one word is longer.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// A name and its description beside it; below it where there is no room.
  static func entry(_ name: String, _ text: String, column: Int, width: Int) -> String {
    // Narrow terminals have one column.
    let isNarrow = width < column + 24
    let column = isNarrow ? 6 : column
    let indentation = String(repeating: " ", count: column)
    var lines = wrapped(text, width: max(16, width - column)).map { indentation + $0 }
    if !isNarrow, name.count < column, let first = lines.first {
      lines[0] = name + first.dropFirst(name.count)
    } else {
      lines.insert(name, at: 0)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
