/// A whole command line: what holds for all of it, and one operation for each part between `--next`.
struct Command: Equatable, Sendable {
  /// Something that is asked for instead of a transfer.
  enum Question: Equatable, Sendable {
    case help(category: String)
    case version
    case manual
  }

  var globals = GlobalOptions()
  var operations: [Operation] = [Operation()]
  var question: Question?
  /// A remark on options that are odd without being wrong.
  var warnings: [String] = []

  /// The operation that options apply to: the last one.
  var operation: Operation {
    get { operations[operations.count - 1] }
    set { operations[operations.count - 1] = newValue }
  }

  private mutating func ask(_ question: Question) {
    if self.question == nil { self.question = question }
  }
}

extension Command {
  /// The words of the command line that belong to it alone.
  static let entries: [OptionEntry<Command>] = [
    OptionEntry(
      name: "config", letter: "K", valueName: "file", categories: [.curl],
      help: "Reads options from a file, one a line; - is standard input", effect: .optionsFile),
    OptionEntry(
      name: "next", letter: ":", categories: [.curl],
      help: "Begins an operation of its own: other URLs with other options", effect: .nextOperation),
    // Takes a category if one follows.
    .value("help", "h", "category", [.important, .curl], "This, or the options of a category, or of 'all'") {
      $0.ask(.help(category: $1))
    },
    .act("version", "V", [.important, .curl], "Which version this is, and what it can do") {
      $0.ask(.version)
    },
    .act("manual", "M", [.curl], "All options") { $0.ask(.manual) },
  ]
}
