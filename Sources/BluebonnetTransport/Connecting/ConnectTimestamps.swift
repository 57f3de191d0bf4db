// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// The times of the steps of connecting. A step that did not happen has no time: a literal address needs no lookup.
package struct ConnectTimestamps: Equatable, Sendable {
  package var lookupStart: MonotonicTime?
  package var lookupEnd: MonotonicTime?
  package var connectStart: MonotonicTime?
  package var connectEnd: MonotonicTime?
  /// The times when a proxy was first asked, and when it had let the connection through.
  package var tunnelStart: MonotonicTime?
  package var tunnelEnd: MonotonicTime?
  package var remoteAddress: SocketAddress?
  package var localAddress: SocketAddress?
  /// The addresses that were tried, in the order in which that began.
  package var tried: [TriedAddress] = []

  package init() {}
}

/// An address that a connection was to be made to.
package struct TriedAddress: Equatable, Sendable {
  package let address: SocketAddress
  /// Nil for one that was connected to, and for one that had not answered when another was, or when the time was over.
  package var error: SystemError?

  package init(_ address: SocketAddress, error: SystemError? = nil) {
    self.address = address
    self.error = error
  }
}
