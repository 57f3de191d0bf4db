/// What the caller has to prove who it is.
package enum Login: Sendable, Hashable {
  /// For Basic, Digest and NTLM.
  case password(user: String, password: String)
  /// The ticket in the caller's Kerberos credential cache, for Negotiate.
  case ticket
  /// What somebody else has issued, for Bearer.
  case token(String)

  /// Whether it can be proved by this scheme.
  package func fits(_ scheme: AuthenticationScheme) -> Bool {
    switch (self, scheme) {
    case (.password, .basic), (.password, .digest), (.password, .ntlm): true
    case (.ticket, .negotiate), (.token, .bearer): true
    default: false
    }
  }
}
