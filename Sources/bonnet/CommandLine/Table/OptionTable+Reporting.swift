extension OptionTable {
  /// Messages.
  static let reporting: [OptionEntry] = [
    .flag("include", "i", [.verbose, .important], "Writes the heads of responses, too") {
      $0.operation.output.includesHeads = $1
    },
    .value("dump-header", "D", "file", [.http], "Writes the heads of responses to a file") {
      $0.operation.output.headPath = $1
    },
    .value("write-out", "w", "format", [.verbose], "Written at the end, with %{variables}; @file reads it") {
      parser, text throws(CommandError) in
      parser.operation.output.report =
        text.hasPrefix("@")
        // The line ends of a file are no part of the format.
        ? String(
          decoding: try parser.files.read(String(text.dropFirst())).filter { $0 != 0x0A && $0 != 0x0D },
          as: UTF8.self) : text
    },
    .flag("verbose", "v", [.verbose, .important], "Tells on standard error what happens") {
      $0.globals.trace = $1 ? .verbose : .none
    },
    .value(
      "trace", nil, "file", [.verbose], "Writes all that goes over the wire; - is standard output, % error"
    ) {
      $0.globals.trace = .hexadecimal(path: $1)
    },
    .value("trace-ascii", nil, "file", [.verbose], "The same without hexadecimal") {
      $0.globals.trace = .text(path: $1)
    },
    .flag("trace-time", nil, [.verbose], "Puts the time before each line of -v and --trace") {
      $0.globals.stampsTrace = $1
    },
    .flag("silent", "s", [.important, .verbose], "No progress and no error messages") {
      $0.globals.isSilent = $1
    },
    .flag("show-error", "S", [.curl], "Error messages in spite of -s") { $0.globals.showsErrors = $1 },
    .value("stderr", nil, "file", [.verbose], "Where standard error goes; - is standard output") {
      $0.globals.errorPath = $1
    },
    .flag("progress-meter", nil, [.verbose], "Shows progress; with no- before it, does not") {
      $0.globals.showsMeter = $1
    },
    .flag("progress-bar", "#", [.verbose], "Shows progress as a bar") {
      $0.globals.meter = $1 ? .bar : .columns
    },
    .flag("styled-output", nil, [.verbose], "Parts of heads stand out on a terminal") {
      $0.globals.stylesHeads = $1
    },
    .flag("buffer", "N", [.curl], "Output is never held back here, with no- or without") { _, _ in },
  ]
}
