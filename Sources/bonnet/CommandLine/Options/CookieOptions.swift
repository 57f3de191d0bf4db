/// Cookies to send and where to keep them.
struct CookieOptions: Equatable, Sendable {
  /// `name=value`, in order.
  var texts: [String] = []
  var files: [String] = []
  /// The file they are written to at the end.
  var jar: String?
  var forgetsSessions = false

  /// Whether cookies of responses are kept.
  var areKept: Bool { !files.isEmpty || jar != nil }
}

extension CookieOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<CookieOptions>] = [
    .value(
      "cookie", "b", "name=value|file", [.http],
      "Cookies to send, or a file with some; with it, cookies are kept"
    ) { options, text in
      if text.unicodeScalars.contains("=") {
        options.texts.append(text)
      } else {
        options.files.append(text)
      }
    },
    .value(
      "cookie-jar", "c", "file", [.http], "Keeps cookies, and writes them to a file in the end", sets: \.jar),
    .flag(
      "junk-session-cookies", "j", [.http], "Forgets cookies of files that are for a session only",
      sets: \.forgetsSessions),
  ]
}
