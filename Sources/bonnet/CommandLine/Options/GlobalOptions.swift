/// The options for all operations.
struct GlobalOptions: Equatable, Sendable {
  /// The messages about a transfer while it runs.
  enum TraceFormat: Equatable, Sendable {
    case none
    /// `-v`: heads as they are, everything else as a line.
    case verbose
    /// `--trace-ascii`: all bytes, those that are no text as dots.
    case text(path: String)
    /// `--trace`: all bytes, in hexadecimal besides.
    case hexadecimal(path: String)
  }

  /// The display of progress.
  enum MeterStyle: Equatable, Sendable {
    case columns
    case bar
  }

  var trace = TraceFormat.none
  var stampsTrace = false
  var isSilent = false
  var showsErrors = false
  var showsMeter = true
  var meter = MeterStyle.columns
  /// The destination of standard error; nil for its own.
  var errorPath: String?
  /// The first failure ends it all.
  var failsEarly = false
  var isParallel = false
  var parallelLimit = 50
  /// Transfers that may begin in a second, at most; nil for any number.
  var minimumInterval: Duration?
  /// Parts of heads stand out on a terminal.
  var stylesHeads = true
}

extension GlobalOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<GlobalOptions>] = [
    .flag("parallel", "Z", [.connection, .curl], "Transfers at the same time", sets: \.isParallel),
    .value("parallel-max", nil, "count", [.connection, .curl], "How many at once; 50 without it") {
      options, text throws(CommandError) in
      let count = try OptionNumber.count(text)
      // As in curl: a number out of range is the usual one.
      options.parallelLimit = (1...300).contains(count) ? count : 50
    },
    .flag("parallel-immediate", nil, [.connection, .curl], "Does not wait for others, which it never does") {
      _, _ in
    },
    .flag("fail-early", nil, [.curl], "The first failure ends it all", sets: \.failsEarly),
    .value(
      "rate", nil, "count/unit", [.connection], "Begins at most so many transfers in a s, m, h or d",
      sets: \.minimumInterval, OptionNumber.interval),
    .flag("verbose", "v", [.verbose, .important], "Tells on standard error what happens") {
      $0.trace = $1 ? .verbose : .none
    },
    .value(
      "trace", nil, "file", [.verbose], "Writes all that goes over the wire; - is standard output, % error"
    ) { $0.trace = .hexadecimal(path: $1) },
    .value("trace-ascii", nil, "file", [.verbose], "The same without hexadecimal") {
      $0.trace = .text(path: $1)
    },
    .flag(
      "trace-time", nil, [.verbose], "Puts the time before each line of -v and --trace", sets: \.stampsTrace),
    .flag("silent", "s", [.important, .verbose], "No progress and no error messages", sets: \.isSilent),
    .flag("show-error", "S", [.curl], "Error messages in spite of -s", sets: \.showsErrors),
    .value(
      "stderr", nil, "file", [.verbose], "Where standard error goes; - is standard output", sets: \.errorPath),
    .flag(
      "progress-meter", nil, [.verbose], "Shows progress; with no- before it, does not", sets: \.showsMeter),
    .flag("progress-bar", "#", [.verbose], "Shows progress as a bar") { $0.meter = $1 ? .bar : .columns },
    .flag("disable", "q", [.curl], "As the first word: does not read .curlrc") { _, _ in },
    .flag("buffer", "N", [.curl], "Output is never held back here, with no- or without") { _, _ in },
    .flag("styled-output", nil, [.verbose], "Parts of heads stand out on a terminal", sets: \.stylesHeads),
  ]
}
