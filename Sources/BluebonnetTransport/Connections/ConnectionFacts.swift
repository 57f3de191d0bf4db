import BluebonnetEventLoop
import BluebonnetTLS

/// What does not change in a connection's life; shared by all exchanges that it serves.
package final class ConnectionFacts: Sendable {
  package let localAddress: SocketAddress?
  package let remoteAddress: SocketAddress?
  /// Whether the other end is a proxy's.
  package let isProxied: Bool
  /// Nil without TLS.
  package let tlsVersion: TLSVersion?
  package let tlsCipherSuite: UInt16?

  package init(
    localAddress: SocketAddress?, remoteAddress: SocketAddress?, isProxied: Bool = false,
    tlsVersion: TLSVersion? = nil,
    tlsCipherSuite: UInt16? = nil
  ) {
    self.localAddress = localAddress
    self.remoteAddress = remoteAddress
    self.isProxied = isProxied
    self.tlsVersion = tlsVersion
    self.tlsCipherSuite = tlsCipherSuite
  }
}
