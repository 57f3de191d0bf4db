// SPDX-License-Identifier: MIT

/// The target that a SOCKS proxy is to connect to.
package enum SOCKSTarget: Hashable, Sendable {
  case address(IPAddress, port: UInt16)
  /// A name that the proxy looks up.
  case name(String, port: UInt16)

  package var port: UInt16 {
    switch self {
    case .address(_, let port), .name(_, let port): port
    }
  }

  /// A host in its canonical form: an address is told as such, also to a proxy that looks names up.
  package init(host: String, port: UInt16) {
    self = IPAddress(host).map { .address($0, port: port) } ?? .name(host, port: port)
  }
}
