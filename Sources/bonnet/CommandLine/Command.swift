// SPDX-License-Identifier: MIT

/// A whole command line: what holds for all of it, and one operation for each part between `--next`.
struct Command: Equatable, Sendable {
  /// Something that is asked for instead of a transfer.
  enum Question: Equatable, Sendable {
    case help(category: String)
    case version
    case manual
    case tour
    /// `--man`: the manual page, for troff.
    case manualPage
    case completions(Shell)
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
      help: "Reads options from a file; - reads standard input", effect: .optionsFile),
    OptionEntry(
      name: "next", letter: ":", categories: [.curl],
      help: "Starts a new operation with its own URLs and options", effect: .nextOperation),
    // Takes a category if one follows.
    .value("help", "h", "category", [.important, .curl], "Shows the options of a category, or of 'all'") {
      $0.ask(.help(category: $1))
    },
    .act("version", "V", [.important, .curl], "Shows the version and the features") {
      $0.ask(.version)
    },
    .act("tour", nil, [.bonnet], "Shows the library at work, against servers of its own") { $0.ask(.tour) },
    .act("man", nil, [.bonnet], "Writes the manual page, as troff source") { $0.ask(.manualPage) },
    .value("completions", nil, "shell", [.bonnet], "Writes a completion script for bash, zsh or fish") {
      command, text throws(CommandError) in
      guard let shell = Shell(rawValue: text) else {
        throw CommandError(.usage, "there are completions for bash, zsh and fish, not for '\(text)'")
      }
      command.ask(.completions(shell))
    },
    .act("manual", "M", [.curl], "Shows all options") { $0.ask(.manual) },
  ]
}
