import BluebonnetFoundation

/// What a URL means on the wire: where to connect, and what to ask for there.
package struct RequestTarget: Sendable, Hashable {
  /// Scheme, host and port: the unit that connections are shared by and credentials are kept to (RFC 9110 §4.3).
  package struct Origin: Sendable, Hashable {
    /// Whether the scheme is https.
    package let isSecure: Bool
    /// In lower case, without brackets.
    package let host: String
    package let port: UInt16

    package var isDefaultPort: Bool { port == (isSecure ? 443 : 80) }
  }

  package let origin: Origin
  /// The value of `Host`: brackets around an IPv6 address, no zone, no default port.
  package let authority: String
  /// Path and query in origin form (RFC 9112 §3.2.1): never empty, percent-encoded, no fragment.
  package let path: String
  /// The name and the password that stood in the URL, decoded; they are never sent as part of it.
  package let userInformation: UserInformation?

  /// What stood before the host.
  package struct UserInformation: Sendable, Hashable {
    package let user: String
    package let password: String
  }

  /// The form of the target that a plain-text proxy is sent (RFC 9112 §3.2.2).
  package var absoluteForm: String { "http://\(authority)\(path)" }
}
