extension OptionTable {
  /// The command line itself.
  static let commandLine: [OptionEntry] = [
    .value("config", "K", "file", [.curl], "Reads options from a file, one a line; - is standard input") {
      parser, path throws(CommandError) in try parser.readFile(path)
    },
    .flag("disable", "q", [.curl], "As the first word: does not read .curlrc") {
      _, _ in
    },
    .act("next", ":", [.curl], "Begins an operation of its own: other URLs with other options") {
      parser throws(CommandError) in try parser.beginOperation()
    },
    .flag("parallel", "Z", [.connection, .curl], "Transfers at the same time") { $0.globals.isParallel = $1 },
    .value("parallel-max", nil, "count", [.connection, .curl], "How many at once; 50 without it") {
      parser, text throws(CommandError) in
      let count = try OptionNumber.integer(text, from: 0)
      // As in curl: a number out of range is the usual one.
      parser.globals.parallelLimit = (1...300).contains(count) ? count : 50
    },
    .flag("parallel-immediate", nil, [.connection, .curl], "Does not wait for others, which it never does") {
      $0.globals.startsAtOnce = $1
    },
    .flag("fail-early", nil, [.curl], "The first failure ends it all") { $0.globals.failsEarly = $1 },
    .value("rate", nil, "count/unit", [.connection], "Begins at most so many transfers in a s, m, h or d") {
      parser, text throws(CommandError) in
      parser.globals.minimumInterval = try OptionNumber.interval(text)
    },
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
