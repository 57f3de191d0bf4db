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
  /// What the key was agreed in (RFC 8446 §4.2.7); nil where no such agreement took place.
  package let tlsGroup: String?
  /// Whether an earlier connection's secrets were used again.
  package let isTLSResumed: Bool
  /// The server's certificates and what the handshake found about them. Nothing is made of them until somebody looks.
  package let serverTrust: ServerTrust?

  package init(
    localAddress: SocketAddress?, remoteAddress: SocketAddress?, isProxied: Bool = false,
    tlsVersion: TLSVersion? = nil, tlsCipherSuite: UInt16? = nil, tlsGroup: String? = nil,
    isTLSResumed: Bool = false, serverTrust: ServerTrust? = nil
  ) {
    self.localAddress = localAddress
    self.remoteAddress = remoteAddress
    self.isProxied = isProxied
    self.tlsVersion = tlsVersion
    self.tlsCipherSuite = tlsCipherSuite
    self.tlsGroup = tlsGroup
    self.isTLSResumed = isTLSResumed
    self.serverTrust = serverTrust
  }
}
