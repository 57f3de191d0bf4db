// SPDX-License-Identifier: MIT

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
      "Sends these cookies; a file name reads cookies from that file and keeps new ones"
    ) { options, text in
      if text.unicodeScalars.contains("=") {
        options.texts.append(text)
      } else {
        options.files.append(text)
      }
    },
    .value(
      "cookie-jar", "c", "file", [.http], "Writes all cookies to this file at the end", sets: \.jar),
    .flag(
      "junk-session-cookies", "j", [.http], "Ignores session cookies read from files",
      sets: \.forgetsSessions),
  ]
}
