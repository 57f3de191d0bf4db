// SPDX-License-Identifier: MIT
extension String {
  /// This text for one line of a log, whatever its source: control, format and line-separating characters as `\u{…}`, since a
  /// terminal or a reader of lines would act on them, and cut behind a number of bytes.
  package func escaped(limit: Int = 1_000) -> String {
    if utf8.count <= limit, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var result = ""
    for scalar in unicodeScalars {
      // An escape is longer than its character.
      guard result.utf8.count < limit else { return result + "…" }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
