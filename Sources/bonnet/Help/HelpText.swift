// SPDX-License-Identifier: MIT

/// The text of `--help`.
enum HelpText {
  private static let usage = "Usage: bonnet [options...] <url>\n"
  private static let hint = """
    These are the most used options. "--help category" lists the categories of options, "--help all" shows all options, \
    "--man" writes the manual page, and "--tour" shows the library at work. The grammar and the exit codes are curl's.
    """

  /// The number of columns, also of wider terminals and of files.
  static let usualWidth = 79

  /// - Parameters:
  ///   - category: Empty for the most used options; `category` for a list of categories; `all` for everything.
  ///   - width: The number of columns.
  static func text(_ category: String, width: Int = usualWidth) -> String {
    switch category {
    case "":
      return usage + lines(width) { $0.categories.contains(.important) } + "\n"
        + TextLayout.wrapped(hint, width: width).joined(separator: "\n") + "\n"
    case "all": return usage + lines(width) { $0.isHonoured }
    case "category": return usage + categories
    default:
      guard let category = OptionCategory(rawValue: category.lowercased()) else {
        return usage + "There is no category '\(category)'. The categories are:\n\n" + categories
      }
      return usage + "\(category.rawValue): \(category.title)\n"
        + lines(width) { $0.categories.contains(category) }
    }
  }

  private static var categories: String {
    OptionCategory.allCases.map { category in
      " " + category.rawValue + String(repeating: " ", count: 12 - category.rawValue.count) + category.title
        + "\n"
    }.joined()
  }

  private static func lines(_ width: Int, _ isShown: (OptionEntry<Command>) -> Bool) -> String {
    OptionTable.all.filter(isShown).map { entry in
      let letter = entry.letter.map { " -\($0), " } ?? "     "
      let name = letter + entry.shownName + (entry.valueName.isEmpty ? "" : " <\(entry.valueName)>")
      return TextLayout.entry(name, entry.help, column: 32, width: width)
    }.joined()
  }
}
