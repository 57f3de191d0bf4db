// SPDX-License-Identifier: MIT

/// The way to a destination from this machine: the interfaces it goes through, if any.
package struct NetworkPath: Equatable, Sendable {
  /// The interfaces that lead there, the kernel's choice first.
  package private(set) var interfaces: [NetworkInterface] = []
  /// It is this machine itself.
  package private(set) var isLocal = false
  /// No router is on the way.
  package private(set) var isDirect = false
  package private(set) var hasIPv4 = false
  package private(set) var hasIPv6 = false

  package init() {}

  /// Something leads there.
  package var isSatisfied: Bool { !interfaces.isEmpty }

  /// Takes the kernel's answer about one address of the destination.
  package mutating func add(
    _ route: NetworkRoute, isIPv6: Bool, interfaces known: [Int32: (link: NetworkLink, NetworkInterface)]
  ) {
    guard let index = route.interface, let (link, interface) = known[index], link.isRunning else { return }
    switch route.fate {
    case .other: return
    case .local: isLocal = true
    // An address that is good on its own link only reaches no host behind a router (RFC 4291 §2.5.6).
    case .unicast where route.gateway != nil && route.source?.isLinkLocal == true: return
    case .unicast: if route.gateway == nil { isDirect = true }
    }
    if isIPv6 { hasIPv6 = true } else { hasIPv4 = true }
    if !interfaces.contains(interface) { interfaces.append(interface) }
  }
}

/// The destination of a path.
package enum NetworkDestination: Equatable, Sendable {
  /// Networks beyond this one.
  case internet
  /// Any of these addresses.
  case addresses([SocketAddress])

  /// A host: its own addresses where they are known on this machine, else all that the name may stand for,
  /// elsewhere. Asks no name server.
  package init(host: String) {
    let known = NameLookup.immediateAddresses(of: host, port: 0) ?? HostsFile.addresses(of: host)
    self = known.map(NetworkDestination.addresses) ?? .internet
  }

  /// The addresses that the kernel is asked about.
  var addresses: [SocketAddress] {
    switch self {
    // A root name server (a.root-servers.net) stands for the internet: a default route, or whatever routes are in its
    // place, leads there. Nothing is sent to it.
    case .internet:
      [
        SocketAddress(.ipv4(0xC629_0004, port: 0)),
        SocketAddress(.ipv6(high: 0x2001_0503_BA3E_0000, low: 0x0000_0000_0002_0030, scope: 0, port: 0)),
      ]
    case .addresses(let addresses): addresses
    }
  }
}

/// The interfaces that count.
package enum InterfaceRule: Equatable, Sendable {
  case any
  case required(NetworkInterface.Kind)
  case prohibited([NetworkInterface.Kind])

  func allows(_ kind: NetworkInterface.Kind) -> Bool {
    switch self {
    case .any: true
    case .required(let required): kind == required
    case .prohibited(let prohibited): !prohibited.contains(kind)
    }
  }
}

extension SocketAddress {
  /// The address as netlink takes it; nil for a path.
  var networkBytes: [UInt8]? {
    switch storage {
    case .ipv4(let address, _): withUnsafeBytes(of: address.bigEndian) { Array($0) }
    case .ipv6(let high, let low, _, _):
      withUnsafeBytes(of: high.bigEndian) { Array($0) } + withUnsafeBytes(of: low.bigEndian) { Array($0) }
    case .unix: nil
    }
  }

  /// The interface that a link-local address belongs to.
  var scope: Int32? {
    if case .ipv6(_, _, let scope, _) = storage, scope != 0 { Int32(truncatingIfNeeded: scope) } else { nil }
  }
}

extension [UInt8] {
  /// Whether an IPv6 address is of fe80::/10.
  fileprivate var isLinkLocal: Bool { count == 16 && self[0] == 0xFE && self[1] & 0xC0 == 0x80 }
}
