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

extension SocketAddress {
  /// Whether the address is one of the Internet's: not this machine, a private network, a link, a group, or reserved (RFC
  /// 6890's tables; RFC 4193, RFC 6598). An address that carries an IPv4 address is what that one is.
  package var isGlobal: Bool {
    switch storage {
    case .ipv4(let address, _): !Self.isSpecial(address)
    case .ipv6(let high, let low, _, _): Self.isGlobal(high, low)
    case .unix: false
    }
  }

  private static func isSpecial(_ address: UInt32) -> Bool {
    specialNetworks.contains { network, length in address >> (32 - length) == network >> (32 - length) }
  }

  /// With the lengths of their prefixes.
  private static let specialNetworks: [(network: UInt32, length: UInt32)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
    (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
    (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
  ]

  private static func isGlobal(_ high: UInt64, _ low: UInt64) -> Bool {
    let carried = UInt32(truncatingIfNeeded: low)
    // IPv4-mapped, and translated by the well-known prefix (RFC 6052).
    if high == 0, low >> 32 == 0xFFFF { return !isSpecial(carried) }
    if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return !isSpecial(carried) }
    // 6to4 (RFC 3056).
    if high >> 48 == 0x2002 { return !isSpecial(UInt32(truncatingIfNeeded: high >> 16)) }
    // Documentation and Teredo, inside the global unicast space 2000::/3.
    if high >> 32 == 0x2001_0DB8 || high >> 32 == 0x2001_0000 { return false }
    return high >> 61 == 1
  }
}
