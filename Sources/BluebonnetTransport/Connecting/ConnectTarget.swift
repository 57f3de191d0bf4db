// SPDX-License-Identifier: MIT

/// The target of a connection.
package enum ConnectTarget: Hashable, Sendable {
  /// A host as a URL names it: a name, also one outside ASCII or percent-encoded, or an address literal, with or without
  /// brackets.
  case host(String, port: UInt16)
  /// A Unix-domain socket in the file system.
  case unixPath(String)
}
