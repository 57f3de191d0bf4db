// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetEventLoop

/// A connection kept for its owner's next request, instead of going back to the pool at the end of a response:
/// authentication may be bound to the connection (RFC 4559 §6, NTLM), so that it must serve no other request in between,
/// and the next step is of no use on another connection.
///
///     exchange ──ends, connection reusable──▶ resting ──exchange over the lease──▶ lent
///                                                │ ▲                                │
///                      pool ◀──giveBack, deinit──┘ └───ends, connection reusable────┘
///
/// A connection that may be authenticated is exclusive: instead of going back to the pool it is closed, unless its identity
/// is known. Then it goes to where requests of the same identity look for connections.
///
/// It counts as in use all the while. Touched only while the loop is held, but for the last reference, perhaps released elsewhere.
package final class ConnectionLease {
  private(set) var group: EndpointGroup
  private var connection: Connection?
  /// Whether the connection may be authenticated, which counts for all requests over it (RFC 4559 §6): no other may use it.
  package var isExclusive = false
  /// The identity this connection is authenticated as; nil while that is not known.
  package var identity: ConnectionIdentity?
  /// The connection's route.
  package var route: Route { group.route }

  init(of group: EndpointGroup) {
    self.group = group
  }

  deinit {
    guard let connection else { return }
    let (group, lent) = (LoopConfined(group), LoopConfined(connection))
    connection.loop.enqueue { [isExclusive, identity] in
      Self.giveBack(lent.value, to: group.value, isExclusive, identity)
    }
  }

  /// Whether there is a connection that a request could be sent over now: one that is open, on which the server has not
  /// spoken out of turn. False before the exchange has ended, and after it has ended without leaving one.
  package var isOpen: Bool { connection?.isQuiet ?? false }

  /// Hands the connection to the pool, or closes it if it is exclusive. Nothing happens if there is none.
  package func giveBack() {
    guard let connection = connection.take() else { return }
    Self.giveBack(connection, to: group, isExclusive, identity)
  }

  private static func giveBack(
    _ connection: Connection, to group: EndpointGroup, _ isExclusive: Bool, _ identity: ConnectionIdentity?
  ) {
    if let identity { return group.release(connection, standingFor: identity) }
    if isExclusive { return group.release(connection, .close(.askedByClient)) }
    group.release(connection, connection.isQuiet ? .reuse : .close(.peerEnded))
  }

  /// An exchange has left its connection.
  ///
  /// - Parameter group: The connection's, perhaps another than the one that the exchange began with.
  func rest(_ connection: Connection, of group: EndpointGroup) {
    connection.rest()
    self.group = group
    self.connection = connection
  }

  /// For the next exchange; nil if there is none that could be used.
  func take() -> Connection? {
    guard isOpen else {
      giveBack()
      return nil
    }
    return connection.take()
  }
}
