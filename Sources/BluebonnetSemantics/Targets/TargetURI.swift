// SPDX-License-Identifier: MIT

/// The meaning of a URL on the wire (RFC 9110 §7.1): the server to connect to, and the resource to ask for there.
package struct TargetURI: Sendable, Hashable {
  package let origin: WebOrigin
  /// Whether the scheme is ws or wss, which stand for http and https (RFC 6455 §3).
  package let isWebSocket: Bool
  /// Whether the host was written with the root's dot at its end, which keeps the resolver's search list out.
  package let isRooted: Bool
  /// The value of `Host`: brackets around an IPv6 address, no zone, no default port.
  package let authority: String
  /// Path and query in origin form (RFC 9112 §3.2.1): never empty, percent-encoded, no fragment.
  package let path: String
  /// The name and the password that stood in the URL, decoded; they are never sent as part of it. Nil if both are empty.
  package let userInformation: UserInformation?

  /// The text before the host.
  package struct UserInformation: Sendable, Hashable {
    /// The name as the URL has it, which need not be UTF-8.
    package let userBytes: [UInt8]
    package var user: String { String(decoding: userBytes, as: UTF8.self) }
    package let password: String
    /// The `Authorization` field that proves them (RFC 7617).
    package let authorization: String
  }

  /// The form of the target that a plain-text proxy is sent (RFC 9112 §3.2.2).
  package var absoluteForm: String { "http://\(authority)\(path)" }
}
