// SPDX-License-Identifier: MIT

/// The identity that a connection is authenticated as: by a scheme that authenticates a connection, and not a
/// request (`AuthenticationScheme.isBoundToConnection`). An object, so that connections without one carry nothing of it; two
/// are the same if they say the same.
package final class ConnectionIdentity: Hashable, Sendable {
  package let side: AuthenticationSide
  package let scheme: AuthenticationScheme
  private let login: Login

  init(_ side: AuthenticationSide, _ scheme: AuthenticationScheme, _ login: Login) {
    (self.side, self.scheme, self.login) = (side, scheme, login)
  }

  package static func == (left: ConnectionIdentity, right: ConnectionIdentity) -> Bool {
    left === right || left.side == right.side && left.scheme == right.scheme && left.login == right.login
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(side)
    hasher.combine(scheme)
    hasher.combine(login)
  }
}
