// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// The path from this machine to the internet at one moment, as Apple's framework Network shows it.
public struct NWPath: Hashable, Sendable {
  /// Whether anything leads there.
  public enum Status: Hashable, Sendable {
    /// A route leads there, through an interface that is up. An answer from there is another matter.
    case satisfied
    /// None does, or none through an interface that counts.
    case unsatisfied
    /// Something would have to be switched on first. Never the case on Linux.
    case requiresConnection
  }

  /// Whether anything leads there.
  public let status: Status
  /// The interfaces that lead there, the kernel's choice first.
  public let availableInterfaces: [NWInterface]
  /// Whether an IPv4 route leads there.
  public let supportsIPv4: Bool
  /// Whether an IPv6 route leads there.
  public let supportsIPv6: Bool

  init(_ path: NetworkPath) {
    status = path.isSatisfied ? .satisfied : .unsatisfied
    availableInterfaces = path.interfaces.map(NWInterface.init)
    supportsIPv4 = path.hasIPv4
    supportsIPv6 = path.hasIPv6
  }

  /// Whether one of ``availableInterfaces`` is of this type.
  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
    availableInterfaces.contains { $0.type == type }
  }
}
