extension OptionTable {
  /// The handling of responses.
  static let output: [OptionEntry] = [
    .value(
      "output", "o", "file", [.output, .important], "Writes the body to this file; #1 is what a pattern gave"
    ) {
      parser, text throws(CommandError) in
      guard !text.isEmpty else { throw CommandError(.usage, "the name of a file is expected") }
      parser.operation.outputs.append(.file(text))
    },
    // Turned off, it goes before --remote-name-all.
    .flag("remote-name", "O", [.output, .important], "Writes the body to a file named as in the URL") {
      $0.operation.outputs.append($1 ? .remoteName : .file("-"))
    },
    .flag("remote-name-all", nil, [.output], "The same for all URLs without -o") {
      $0.operation.namesAllRemotely = $1
    },
    .flag("remote-header-name", "J", [.output], "With -O: named as the response says (Content-Disposition)") {
      $0.operation.output.usesHeaderName = $1
    },
    .value("output-dir", nil, "directory", [.output], "Where -o and -O put files") {
      $0.operation.output.directory = $1
    },
    .flag("create-dirs", nil, [.output], "Makes directories that are missing") {
      $0.operation.output.createsDirectories = $1
    },
    .value("create-file-mode", nil, "mode", [.output], "The permissions of new files, in octal") {
      parser, text throws(CommandError) in
      parser.operation.output.fileMode = try OptionNumber.mode(text)
    },
    .flag("clobber", nil, [.output], "Overwrites files; with no- before it, finds another name") {
      $0.operation.output.overwrites = $1
    },
    .flag("remove-on-error", nil, [.output], "Removes the file of a transfer that failed") {
      $0.operation.output.removesOnError = $1
    },
    .flag("remote-time", "R", [.output], "Gives the file the date that the response says") {
      $0.operation.output.takesRemoteTime = $1
    },
    .value("max-filesize", nil, "bytes", [.connection], "Refuses responses that are larger, as 10M") {
      parser, text throws(CommandError) in
      let limit = try OptionNumber.size(text)
      parser.operation.output.sizeLimit = limit == 0 ? nil : limit
    },
    .flag("globoff", "g", [.curl], "Takes {} and [] in URLs for what they are") {
      $0.operation.takesURLsLiterally = $1
    },
    .flag("fail", "f", [.http, .important], "Fails without a body on statuses from 400 on") {
      parser, isOn throws(CommandError) in
      if isOn, parser.operation.output.keepsBodyOfFailures { throw eitherFailure }
      parser.operation.output.failsOnErrorStatus = isOn
    },
    .flag("fail-with-body", nil, [.http, .output], "The same, with the body") {
      parser, isOn throws(CommandError) in
      if isOn, parser.operation.output.failsOnErrorStatus { throw eitherFailure }
      parser.operation.output.keepsBodyOfFailures = isOn
    },
  ]

  private static var eitherFailure: CommandError {
    CommandError(.usage, "--fail and --fail-with-body exclude each other")
  }
}
