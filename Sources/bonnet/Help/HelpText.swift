/// The text of `--help`.
enum HelpText {
  private static let usage = "Usage: bonnet [options...] <url>\n"

  /// - Parameter category: empty for the most used options; `category` for a list of categories; `all` for everything.
  static func text(_ category: String) -> String {
    switch category {
    case "":
      return usage + lines { $0.categories.contains(.important) } + """

        These are the most used options. "--help category" lists what else there is, "--help all" everything.
        The grammar and the exit codes are curl's. Without arguments bonnet takes a tour of the library.

        """
    case "all": return usage + lines { $0.isHonoured }
    case "category": return usage + categories
    default:
      guard let category = OptionCategory(rawValue: category.lowercased()) else {
        return usage + "There is no category '\(category)'; there are these:\n\n" + categories
      }
      return usage + "\(category.rawValue): \(category.title)\n" + lines { $0.categories.contains(category) }
    }
  }

  private static var categories: String {
    OptionCategory.allCases.map { category in
      " " + category.rawValue + String(repeating: " ", count: 12 - category.rawValue.count) + category.title
        + "\n"
    }.joined()
  }

  private static func lines(_ isShown: (OptionEntry<Command>) -> Bool) -> String {
    OptionTable.all.filter(isShown).map { entry in
      let letter = entry.letter.map { " -\($0), " } ?? "     "
      let isOffMeant = ["buffer", "progress-meter", "clobber", "sessionid", "keepalive"].contains(entry.name)
      let name = "--" + (isOffMeant ? "no-" : "") + entry.name
      let words = letter + name + (entry.valueName.isEmpty ? "" : " <\(entry.valueName)>")
      return words + String(repeating: " ", count: max(1, 32 - words.count)) + entry.help + "\n"
    }.joined()
  }
}
