// SPDX-License-Identifier: MIT

/// Scheme, host and port: the unit that connections are shared by and credentials are kept to (RFC 9110 §4.3.1, RFC 6454).
package struct WebOrigin: Sendable, Hashable {
  /// Whether the scheme is https.
  package let isSecure: Bool
  /// In the one form in which hosts are compared, without brackets.
  package let host: String
  /// From 1 to 65535.
  package let port: UInt16

  package init(isSecure: Bool, host: String, port: UInt16) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
  }

  package var isDefaultPort: Bool { port == (isSecure ? 443 : 80) }
}
