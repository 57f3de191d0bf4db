// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS

/// The constant facts of a connection; shared by all exchanges over it.
package final class ConnectionFacts: Sendable {
  package let localAddress: SocketAddress?
  package let remoteAddress: SocketAddress?
  /// The addresses that were tried before it was made, in order; empty if the first to be tried answered.
  package let tried: [TriedAddress]
  /// Whether the other end is a proxy's.
  package let isProxied: Bool
  /// Whether it serves the one request that has given a proxy its credentials, and no other.
  let servesOneRequest: Bool
  /// Nil without TLS.
  package let tlsVersion: TLSVersion?
  package let tlsCipherSuite: UInt16?
  /// The protocol that the server chose by ALPN (RFC 7301); nil if it chose none.
  package let applicationProtocol: String?
  /// The group of the key agreement (RFC 8446 §4.2.7); nil where no such agreement took place.
  package let tlsGroup: String?
  /// Whether an earlier connection's secrets were used again.
  package let isTLSResumed: Bool
  /// The server's certificates and the handshake's verdict about them. They are not taken apart before they are asked for.
  package let serverTrust: ServerTrust?

  package init(
    localAddress: SocketAddress?, remoteAddress: SocketAddress?, tried: [TriedAddress] = [],
    isProxied: Bool = false, servesOneRequest: Bool = false, tlsVersion: TLSVersion? = nil,
    tlsCipherSuite: UInt16? = nil,
    applicationProtocol: String? = nil, tlsGroup: String? = nil, isTLSResumed: Bool = false,
    serverTrust: ServerTrust? = nil
  ) {
    self.localAddress = localAddress
    self.remoteAddress = remoteAddress
    self.tried = tried
    self.isProxied = isProxied
    self.servesOneRequest = servesOneRequest
    self.tlsVersion = tlsVersion
    self.tlsCipherSuite = tlsCipherSuite
    self.applicationProtocol = applicationProtocol
    self.tlsGroup = tlsGroup
    self.isTLSResumed = isTLSResumed
    self.serverTrust = serverTrust
  }
}
