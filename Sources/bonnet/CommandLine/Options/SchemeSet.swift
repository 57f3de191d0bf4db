// SPDX-License-Identifier: MIT

/// A set of schemes, as `--proto` and its kin write it.
struct SchemeSet: Equatable, Sendable {
  /// The supported schemes.
  static let web = SchemeSet(names: ["http", "https"])
  /// Besides, what an HTTP proxy can be asked for by its address.
  static let all = SchemeSet(names: ["http", "https", "ftp"])

  private(set) var names: Set<String>

  func contains(_ name: String) -> Bool { names.contains(name) }

  /// `=https`, `-all,https`, `+http`: each word adds (with or without `+`), takes away (`-`), or is from now on the only one
  /// (`=`). Schemes that are not known here are nothing to add.
  ///
  /// - Returns: the words that name no scheme at all.
  mutating func apply(_ text: String) -> [String] {
    var unknown: [String] = []
    for word in text.split(separator: ",") {
      let signs = word.prefix { "+-=".contains($0) }
      let name = word.dropFirst(signs.count).lowercased()
      let meant: Set<String>
      if name == "all" {
        meant = Self.all.names
      } else if Self.known.contains(name) {
        meant = Self.all.names.intersection([name])
      } else {
        unknown.append(String(name))
        // With no other scheme there is nothing left.
        if signs.last == "=" { names = [] }
        continue
      }
      switch signs.last {
      case "-": names.subtract(meant)
      case "=": names = meant
      default: names.formUnion(meant)
      }
    }
    return unknown
  }

  /// The schemes that curl has a name for.
  private static let known: Set<String> = [
    "dict", "file", "ftp", "ftps", "gopher", "gophers", "http", "https", "imap", "imaps", "ldap", "ldaps",
    "mqtt",
    "pop3", "pop3s", "rtmp", "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts", "rtsp", "scp", "sftp", "smb",
    "smbs", "smtp",
    "smtps", "telnet", "tftp", "ws", "wss",
  ]
}
