// SPDX-License-Identifier: MIT

/// The caller's credentials.
package enum Login: Sendable, Hashable {
  /// For Basic, Digest and NTLM.
  case password(user: String, password: String)
  /// The ticket in the caller's Kerberos credential cache, for Negotiate.
  case ticket
  /// A token issued by a third party, for Bearer.
  case token(String)

  /// Byte by byte, as servers see names and passwords: Swift's texts are equal also where an accent is written in another way.
  package static func == (left: Login, right: Login) -> Bool {
    switch (left, right) {
    case (.password(let user, let password), .password(let other, let secret)):
      user.utf8.elementsEqual(other.utf8) && password.utf8.elementsEqual(secret.utf8)
    case (.token(let token), .token(let other)): token.utf8.elementsEqual(other.utf8)
    case (.ticket, .ticket): true
    default: false
    }
  }

  /// Whether it can be proved by this scheme.
  package func fits(_ scheme: AuthenticationScheme) -> Bool {
    switch (self, scheme) {
    case (.password, .basic), (.password, .digest), (.password, .ntlm): true
    case (.ticket, .negotiate), (.token, .bearer): true
    default: false
    }
  }
}
