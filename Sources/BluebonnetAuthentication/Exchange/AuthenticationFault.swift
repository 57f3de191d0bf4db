// SPDX-License-Identifier: MIT

/// Why an answer cannot be given, or one that was given must not be trusted.
package struct AuthenticationFault: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The peer's message is none of its scheme.
    case malformed
    /// This side has not what the scheme needs: a library, a ticket, a hash of the content.
    case unsupported
    /// The peer could not prove that it knows the secret.
    case mutualAuthenticationFailed
    /// The connection that the steps are bound to has gone, more than once.
    case connectionLost
  }

  package let kind: Kind
  package let scheme: AuthenticationScheme
  /// The reason, as a clause for people.
  package let description: String

  package init(_ kind: Kind, _ scheme: AuthenticationScheme, _ description: String) {
    self.kind = kind
    self.scheme = scheme
    self.description = description
  }
}
