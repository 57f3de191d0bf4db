// SPDX-License-Identifier: MIT

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
    .flag("parallel", "Z", [.connection, .curl], "Performs transfers in parallel", sets: \.isParallel),
    .value(
      "parallel-max", nil, "count", [.connection, .curl],
      "Maximum number of parallel transfers, 50 by default"
    ) {
      options, text throws(CommandError) in
      let count = try OptionNumber.count(text)
      // As in curl: a number out of range is the usual one.
      options.parallelLimit = (1...300).contains(count) ? count : 50
    },
    .flag(
      "parallel-immediate", nil, [.connection, .curl], "Accepted; parallel transfers always start at once"
    ) {
      _, _ in
    },
    .flag("fail-early", nil, [.curl], "Stops after the first transfer that fails", sets: \.failsEarly),
    .value(
      "rate", nil, "count/unit", [.connection], "Maximum number of transfers to start in a s, m, h or d",
      sets: \.minimumInterval, OptionNumber.interval),
    .flag("verbose", "v", [.verbose, .important], "Shows what happens, on standard error") {
      $0.trace = $1 ? .verbose : .none
    },
    .value(
      "trace", nil, "file", [.verbose],
      "Writes all bytes to this file; - for standard output, % for standard error"
    ) { $0.trace = .hexadecimal(path: $1) },
    .value("trace-ascii", nil, "file", [.verbose], "Like --trace, without hexadecimal") {
      $0.trace = .text(path: $1)
    },
    .flag(
      "trace-time", nil, [.verbose], "Adds the time to lines of -v and --trace", sets: \.stampsTrace),
    .flag("silent", "s", [.important, .verbose], "Hides the progress meter and errors", sets: \.isSilent),
    .flag("show-error", "S", [.curl], "Shows errors even with -s", sets: \.showsErrors),
    .value(
      "stderr", nil, "file", [.verbose], "Writes messages to this file; - for standard output",
      sets: \.errorPath),
    .flag(
      "progress-meter", nil, [.verbose], "Hides the progress meter", sets: \.showsMeter
    ).shownOff,
    .flag("progress-bar", "#", [.verbose], "Shows progress as a bar") { $0.meter = $1 ? .bar : .columns },
    .flag("disable", "q", [.curl], "As first argument: does not read .curlrc") { _, _ in },
    .flag("buffer", "N", [.curl], "Accepted; output is never buffered") { _, _ in }.shownOff,
    .flag(
      "styled-output", nil, [.verbose], "Shows header names on a terminal without bold type",
      sets: \.stylesHeads
    ).shownOff,
  ]
}
