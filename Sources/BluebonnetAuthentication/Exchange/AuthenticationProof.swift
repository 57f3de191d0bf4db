// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The credentials that go out with a request.
package enum AuthenticationProof: Sendable {
  /// Nothing is to be proved yet.
  case none
  /// The value of `Authorization` or `Proxy-Authorization`.
  case field(FieldValue)
  /// It takes a while, because others are asked for it (a Kerberos server): to be run where blocking is allowed, and its
  /// result handed to ``HTTPAuthentication/made(_:)``.
  case later(Work)

  package typealias Work = @Sendable () -> Result<FieldValue, AuthenticationFault>
}
