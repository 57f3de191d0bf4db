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
      "limit-rate", nil, "speed", [.connection], "At most so many bytes a second, as 100k", sets: \.rateLimit,
      OptionNumber.limit),
    .value("speed-limit", "Y", "speed", [.connection], "Gives up where there are fewer bytes a second") {
      options, text throws(CommandError) in
      options.speedLimit = try OptionNumber.count(text)
      if options.speedTime == nil { options.speedTime = 30 }
    },
    .value("speed-time", "y", "seconds", [.connection], "… for so long") {
      options, text throws(CommandError) in
      options.speedTime = try OptionNumber.count(text)
      if options.speedLimit == nil { options.speedLimit = 1 }
    },
    .flag(
      "remote-header-name", "J", [.output], "With -O: named as the response says (Content-Disposition)",
      sets: \.usesHeaderName),
    .value("output-dir", nil, "directory", [.output], "Where -o and -O put files", sets: \.directory),
    .flag("create-dirs", nil, [.output], "Makes directories that are missing", sets: \.createsDirectories),
    .value(
      "create-file-mode", nil, "mode", [.output], "The permissions of new files, in octal", sets: \.fileMode,
      OptionNumber.mode),
    .flag("clobber", nil, [.output], "Overwrites files; with no- before it, finds another name") {
      $0.overwrites = $1
    },
    .flag(
      "remove-on-error", nil, [.output], "Removes the file of a transfer that failed", sets: \.removesOnError),
    .flag(
      "remote-time", "R", [.output], "Gives the file the date that the response says", sets: \.takesRemoteTime
    ),
    .value(
      "max-filesize", nil, "bytes", [.connection], "Refuses responses that are larger, as 10M",
      sets: \.sizeLimit, OptionNumber.limit),
    .flag("fail", "f", [.http, .important], "Fails without a body on statuses from 400 on") {
      options, isOn throws(CommandError) in
      if isOn, options.keepsBodyOfFailures { throw eitherFailure }
      options.failsOnErrorStatus = isOn
    },
    .flag("fail-with-body", nil, [.http, .output], "The same, with the body") {
      options, isOn throws(CommandError) in
      if isOn, options.failsOnErrorStatus { throw eitherFailure }
      options.keepsBodyOfFailures = isOn
    },
    .flag(
      "include", "i", [.verbose, .important], "Writes the heads of responses, too", sets: \.includesHeads),
    .value("dump-header", "D", "file", [.http], "Writes the heads of responses to a file", sets: \.headPath),
    .valueInContext(
      "write-out", "w", "format", [.verbose], "Written at the end, with %{variables}; @file reads it"
    ) {
      options, text, context throws(CommandError) in
      options.report =
        text.hasPrefix("@")
        // The line ends of a file are no part of the format.
        ? String(
          decoding: try context.files.read(String(text.dropFirst())).filter { $0 != 0x0A && $0 != 0x0D },
          as: UTF8.self) : text
    },
  ]

  private static var eitherFailure: CommandError {
    CommandError(.usage, "--fail and --fail-with-body exclude each other")
  }
}
