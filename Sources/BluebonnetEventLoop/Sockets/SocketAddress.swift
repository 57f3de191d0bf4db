// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetLinux

/// The address of one end of a stream socket.
package struct SocketAddress: Hashable, Sendable {
  /// The family of an address.
  package enum Family: Hashable, Sendable {
    case ipv4
    case ipv6
    case unix
  }

  enum Storage: Hashable, Sendable {
    /// Address in host byte order.
    case ipv4(UInt32, port: UInt16)
    /// The address's two halves in host byte order, and the interface for link-local ones.
    case ipv6(high: UInt64, low: UInt64, scope: UInt32, port: UInt16)
    case unix(path: String)
  }

  var storage: Storage

  init(_ storage: Storage) {
    self.storage = storage
  }

  package var family: Family {
    switch storage {
    case .ipv4: .ipv4
    case .ipv6: .ipv6
    case .unix: .unix
    }
  }

  /// The number that `socket` takes for this family.
  package var protocolFamily: Int32 {
    switch family {
    case .ipv4: AF_INET
    case .ipv6: AF_INET6
    case .unix: AF_UNIX
    }
  }

  /// The port; nil for Unix-domain sockets.
  package var port: UInt16? {
    get {
      switch storage {
      case .ipv4(_, let port), .ipv6(_, _, _, let port): port
      case .unix: nil
      }
    }
    set {
      guard let newValue else { return }
      switch storage {
      case .ipv4(let address, _): storage = .ipv4(address, port: newValue)
      case .ipv6(let high, let low, let scope, _):
        storage = .ipv6(high: high, low: low, scope: scope, port: newValue)
      case .unix: break
      }
    }
  }

  /// This machine itself, over IPv4.
  package static func loopback(port: UInt16) -> SocketAddress {
    SocketAddress(.ipv4(0x7F00_0001, port: port))
  }

  /// This machine itself, over IPv6.
  package static func loopback6(port: UInt16) -> SocketAddress {
    SocketAddress(.ipv6(high: 0, low: 1, scope: 0, port: port))
  }
}
