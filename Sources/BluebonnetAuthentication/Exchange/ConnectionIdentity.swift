/// Whom a connection stands for, since it has been proved over it: by a scheme that proves it for a connection, and not for a
/// request (`AuthenticationScheme.isBoundToConnection`). An object, so that what stands for nobody carries nothing of it; two
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
