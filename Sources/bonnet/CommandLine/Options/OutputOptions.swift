// SPDX-License-Identifier: MIT

/// The options for the response.
struct OutputOptions: Equatable, Sendable {
  var includesHeads = false
  /// `-D`.
  var headPath: String?
  var usesHeaderName = false
  var directory: String?
  var createsDirectories = false
  /// The mode of new files.
  var fileMode: UInt32 = 0o644
  /// Nil for what fits: files are overwritten, but those that a server names are not.
  var overwrites: Bool?
  var removesOnError = false
  /// `-R`: the file gets the server's date.
  var takesRemoteTime = false
  /// Bytes.
  var sizeLimit: Int?
  /// `-f`.
  var failsOnErrorStatus = false
  /// `--fail-with-body`.
  var keepsBodyOfFailures = false
  /// `-w`.
  var report: String?
  /// Bytes in a second.
  var rateLimit: Int?
  var speedLimit: Int?
  var speedTime: Int?

  /// The treatment of an earlier file; `usual` where no option says.
  func existing(otherwise usual: OutputFile.Existing) -> OutputFile.Existing {
    overwrites.map { $0 ? .overwritten : .kept } ?? usual
  }

  /// The path of a file of this name: `--output-dir` holds for all.
  func path(of name: String) -> String {
    guard let directory, !directory.isEmpty else { return name }
    return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }
}

extension OutputOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<OutputOptions>] = [
    .value(
      "limit-rate", nil, "speed", [.connection], "Maximum speed in bytes a second, such as 100k",
      sets: \.rateLimit,
      OptionNumber.limit),
    .value("speed-limit", "Y", "speed", [.connection], "Gives up below this speed, in bytes a second") {
      options, text throws(CommandError) in
      options.speedLimit = try OptionNumber.count(text)
      if options.speedTime == nil { options.speedTime = 30 }
    },
    .value("speed-time", "y", "seconds", [.connection], "Seconds below --speed-limit before it gives up") {
      options, text throws(CommandError) in
      options.speedTime = try OptionNumber.count(text)
      if options.speedLimit == nil { options.speedLimit = 1 }
    },
    .flag(
      "remote-header-name", "J", [.output], "With -O: uses the name in Content-Disposition",
      sets: \.usesHeaderName),
    .value("output-dir", nil, "directory", [.output], "Directory for output files", sets: \.directory),
    .flag(
      "create-dirs", nil, [.output], "Creates missing directories of output files", sets: \.createsDirectories
    ),
    .value(
      "create-file-mode", nil, "mode", [.output], "Permissions of new files, in octal", sets: \.fileMode,
      OptionNumber.mode),
    .flag("clobber", nil, [.output], "Does not overwrite files: adds a number to the name") {
      $0.overwrites = $1
    }.shownOff,
    .flag(
      "remove-on-error", nil, [.output], "Removes the output file if the transfer fails",
      sets: \.removesOnError),
    .flag(
      "remote-time", "R", [.output], "Gives the file the time in Last-Modified", sets: \.takesRemoteTime
    ),
    .value(
      "max-filesize", nil, "bytes", [.connection], "Refuses bodies larger than this, such as 10M",
      sets: \.sizeLimit, OptionNumber.limit),
    .flag("fail", "f", [.http, .important], "Fails on status 400 and above, without the body") {
      options, isOn throws(CommandError) in
      if isOn, options.keepsBodyOfFailures { throw eitherFailure }
      options.failsOnErrorStatus = isOn
    },
    .flag("fail-with-body", nil, [.http, .output], "Fails on status 400 and above, but writes the body") {
      options, isOn throws(CommandError) in
      if isOn, options.failsOnErrorStatus { throw eitherFailure }
      options.keepsBodyOfFailures = isOn
    },
    .flag(
      "include", "i", [.verbose, .important], "Includes response headers in the output", sets: \.includesHeads
    ),
    .value("dump-header", "D", "file", [.http], "Writes response headers to this file", sets: \.headPath),
    .valueInContext(
      "write-out", "w", "format", [.verbose],
      "Writes this at the end; %{name} is a variable, @file reads the format"
    ) {
      options, text, context throws(CommandError) in
      guard text.unicodeScalars.first == "@" else { return options.report = text }
      // The line ends of a file are no part of the format.
      let bytes = try context.files.read(String(text.unicodeScalars.dropFirst()))
      options.report = ByteText.text(bytes.filter { $0 != 0x0A && $0 != 0x0D })
    },
  ]

  private static var eitherFailure: CommandError {
    CommandError(.usage, "--fail and --fail-with-body exclude each other")
  }
}
