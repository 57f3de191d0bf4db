// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// A network interface, as Apple's framework Network shows it.
public struct NWInterface: Hashable, Sendable {
  /// The kind of an interface, as far as Linux can tell.
  public enum InterfaceType: Hashable, Sendable {
    /// A tunnel, or a link that does not say what it is; so is a modem that speaks PPP.
    case other
    /// A wireless local network: the driver says `wlan`.
    case wifi
    /// A modem: the driver says `wwan`, or the link is bare IP.
    case cellular
    /// Ethernet, and what looks like it: bridges, bonds, and the links of containers and virtual machines.
    case wiredEthernet
    /// This machine itself.
    case loopback
  }

  /// The kind of the interface.
  public let type: InterfaceType
  /// Its name, such as `eth0`.
  public let name: String
  /// The kernel's number for it.
  public let index: Int

  init(_ interface: NetworkInterface) {
    type = InterfaceType(interface.kind)
    name = interface.name
    index = Int(interface.index)
  }
}

extension NWInterface.InterfaceType {
  init(_ kind: NetworkInterface.Kind) {
    self = [.wiredEthernet, .wifi, .cellular, .loopback].first { $0.kind == kind } ?? .other
  }

  var kind: NetworkInterface.Kind {
    switch self {
    case .wiredEthernet: .wired
    case .wifi: .wireless
    case .cellular: .cellular
    case .loopback: .loopback
    case .other: .other
    }
  }
}
