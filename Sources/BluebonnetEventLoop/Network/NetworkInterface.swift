// SPDX-License-Identifier: MIT

/// An interface of this machine, and what kind of network it leads to as far as Linux can tell.
package struct NetworkInterface: Equatable, Hashable, Sendable {
  /// The kind of an interface.
  package enum Kind: Equatable, Hashable, Sendable {
    /// Ethernet, and what looks like it: bridges, bonds, the ends of containers.
    case wired
    /// A wireless local network.
    case wireless
    /// A modem.
    case cellular
    /// This machine itself.
    case loopback
    /// Tunnels, and links that do not say.
    case other
  }

  /// The kernel's number for it.
  package let index: Int32
  /// Its name, such as `eth0`.
  package let name: String
  package let kind: Kind

  package init(index: Int32, name: String, kind: Kind) {
    self.index = index
    self.name = name
    self.kind = kind
  }

  /// - Parameter events: What the kernel says about the device in `/sys/class/net/NAME/uevent`, if it can be read.
  package init(_ link: NetworkLink, events: String?) {
    self.init(index: link.index, name: link.name, kind: Kind(link, events: events))
  }
}

extension NetworkInterface.Kind {
  // `ARPHRD_…` (linux/if_arp.h).
  private static let ethernetType: UInt16 = 1
  private static let rawIPType: UInt16 = 519
  private static let wirelessTypes: ClosedRange<UInt16> = 801...803

  package init(_ link: NetworkLink, events: String?) {
    if link.isLoopback {
      self = .loopback
      return
    }
    // `DEVTYPE` is what the driver says. A file of the same name may be of another network namespace.
    let lines = events?.split(separator: "\n") ?? []
    let type = lines.contains("IFINDEX=\(link.index)") ? lines.first { $0.hasPrefix("DEVTYPE=") } : nil
    switch (type.map { String($0.dropFirst(8)) } ?? link.kind, link.hardwareType) {
    case ("wlan", _), (_, Self.wirelessTypes): self = .wireless
    // Modems that speak bare IP have a hardware type of their own; that of PPP may be one, or a line.
    case ("wwan", _), (_, Self.rawIPType): self = .cellular
    case (_, Self.ethernetType): self = .wired
    default: self = .other
    }
  }
}
