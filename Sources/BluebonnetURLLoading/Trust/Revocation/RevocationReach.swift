// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// The networks in which a certificate's addresses may be fetched from.
enum RevocationReach {
  /// Whether a server is in a private network or on this machine, so that its authority's responder may be, too. A server of
  /// the Internet must not make its clients ask a host behind their own firewall.
  ///
  /// - Parameters:
  ///   - host: The server's name or address.
  ///   - peer: The address that it was reached at; nil through a proxy or where there was no connection.
  static func includesPrivateNetworks(host: String, peer: SocketAddress?) -> Bool {
    if let literal = SocketAddress(literal: host, port: 0) { return !literal.isGlobal }
    // RFC 6761 §6.3.
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    return peer.map { !$0.isGlobal } ?? false
  }
}
