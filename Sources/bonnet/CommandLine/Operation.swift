// SPDX-License-Identifier: MIT

/// The options between two `--next`: some URLs, and the way they are fetched.
struct Operation: Equatable, Sendable {
  /// The destination of a body.
  enum Output: Equatable, Sendable {
    case file(String)
    /// `-O`: a file named as in the URL.
    case remoteName
  }

  /// In order; the first output belongs to the first URL, and so does the first upload.
  var urls: [String] = []
  var outputs: [Output] = []
  var uploads: [String] = []
  /// `--remote-name-all`: for URLs without an output of their own.
  var namesAllRemotely = false
  /// Braces and brackets in URLs mean what they say.
  var takesURLsLiterally = false
  var request = RequestOptions()
  var content = ContentOptions()
  var redirects = RedirectOptions()
  var authentication = AuthenticationOptions()
  var cookies = CookieOptions()
  var connection = ConnectionOptions()
  var proxy = ProxyOptions()
  var security = SecurityOptions()
  var output = OutputOptions()
  var retry = RetryOptions()
}

extension Operation {
  /// The words of the command line that belong to it alone.
  static let entries: [OptionEntry<Operation>] = [
    .value(
      "upload-file", "T", "file", [.upload, .important], "Uploads this file by PUT; - reads standard input"
    ) {
      $0.uploads.append($1)
    },
    .value(
      "output", "o", "file", [.output, .important], "Writes to this file; #1 is the first URL pattern's value"
    ) {
      options, text throws(CommandError) in
      guard !text.isEmpty else { throw CommandError(.usage, "the name of a file is expected") }
      options.outputs.append(.file(text))
    },
    // Turned off, it goes before --remote-name-all.
    .flag("remote-name", "O", [.output, .important], "Writes to a file named as in the URL") {
      $0.outputs.append($1 ? .remoteName : .file("-"))
    },
    .flag("remote-name-all", nil, [.output], "Uses -O for all URLs without -o", sets: \.namesAllRemotely),
    .flag("globoff", "g", [.curl], "Takes {} and [] in URLs literally", sets: \.takesURLsLiterally),
    .value("url", nil, "URL", [.curl], "URL to fetch") { $0.urls.append($1) },
  ]
}
