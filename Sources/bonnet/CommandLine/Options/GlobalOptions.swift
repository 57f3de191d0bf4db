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
    .flag("parallel", "Z", [.connection, .curl], "Transfers at the same time") { $0.isParallel = $1 },
    .value("parallel-max", nil, "count", [.connection, .curl], "How many at once; 50 without it") {
      options, text throws(CommandError) in
      let count = try OptionNumber.integer(text, from: 0)
      // As in curl: a number out of range is the usual one.
      options.parallelLimit = (1...300).contains(count) ? count : 50
    },
    .flag("parallel-immediate", nil, [.connection, .curl], "Does not wait for others, which it never does") {
      _, _ in
    },
    .flag("fail-early", nil, [.curl], "The first failure ends it all") { $0.failsEarly = $1 },
    .value("rate", nil, "count/unit", [.connection], "Begins at most so many transfers in a s, m, h or d") {
      options, text throws(CommandError) in
      options.minimumInterval = try OptionNumber.interval(text)
    },
    .flag("verbose", "v", [.verbose, .important], "Tells on standard error what happens") {
      $0.trace = $1 ? .verbose : .none
    },
    .value(
      "trace", nil, "file", [.verbose], "Writes all that goes over the wire; - is standard output, % error"
    ) { $0.trace = .hexadecimal(path: $1) },
    .value("trace-ascii", nil, "file", [.verbose], "The same without hexadecimal") {
      $0.trace = .text(path: $1)
    },
    .flag("trace-time", nil, [.verbose], "Puts the time before each line of -v and --trace") {
      $0.stampsTrace = $1
    },
    .flag("silent", "s", [.important, .verbose], "No progress and no error messages") { $0.isSilent = $1 },
    .flag("show-error", "S", [.curl], "Error messages in spite of -s") { $0.showsErrors = $1 },
    .value("stderr", nil, "file", [.verbose], "Where standard error goes; - is standard output") {
      $0.errorPath = $1
    },
    .flag("progress-meter", nil, [.verbose], "Shows progress; with no- before it, does not") {
      $0.showsMeter = $1
    },
    .flag("progress-bar", "#", [.verbose], "Shows progress as a bar") { $0.meter = $1 ? .bar : .columns },
    .flag("disable", "q", [.curl], "As the first word: does not read .curlrc") { _, _ in },
    .flag("buffer", "N", [.curl], "Output is never held back here, with no- or without") { _, _ in },
    .flag("styled-output", nil, [.verbose], "Parts of heads stand out on a terminal") { $0.stylesHeads = $1 },
  ]
}
