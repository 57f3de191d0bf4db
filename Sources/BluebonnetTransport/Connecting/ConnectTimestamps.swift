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

  package init() {}
}
