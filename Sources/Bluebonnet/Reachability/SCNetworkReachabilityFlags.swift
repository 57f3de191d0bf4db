// SPDX-License-Identifier: MIT

/// The way to a destination, as Apple's framework SystemConfiguration tells it. The numbers are Apple's.
///
/// On Linux nothing has to be switched on before a connection is made, so of the flags that say so none is ever set.
public struct SCNetworkReachabilityFlags: OptionSet, Hashable, Sendable {
  /// The flags as Apple's systems number them.
  public let rawValue: UInt32

  /// Flags by their numbers.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Over a connection that comes and goes, such as PPP. Never set on Linux.
  public static let transientConnection = SCNetworkReachabilityFlags(rawValue: 1 << 0)
  /// A route leads there, through an interface that is up.
  public static let reachable = SCNetworkReachabilityFlags(rawValue: 1 << 1)
  /// A connection would have to be established first. Never set on Linux.
  public static let connectionRequired = SCNetworkReachabilityFlags(rawValue: 1 << 2)
  /// Traffic establishes that connection. Never set on Linux.
  public static let connectionOnTraffic = SCNetworkReachabilityFlags(rawValue: 1 << 3)
  /// A user has to act for that connection. Never set on Linux.
  public static let interventionRequired = SCNetworkReachabilityFlags(rawValue: 1 << 4)
  /// A program establishes that connection when it is needed. Never set on Linux.
  public static let connectionOnDemand = SCNetworkReachabilityFlags(rawValue: 1 << 5)
  /// It is an address of this machine.
  public static let isLocalAddress = SCNetworkReachabilityFlags(rawValue: 1 << 16)
  /// No router is on the way.
  public static let isDirect = SCNetworkReachabilityFlags(rawValue: 1 << 17)
  /// The way begins with a modem; see ``NWInterface/InterfaceType/cellular``.
  public static let isWWAN = SCNetworkReachabilityFlags(rawValue: 1 << 18)
  /// The same as ``connectionOnTraffic``.
  public static let connectionAutomatic = connectionOnTraffic

  /// Whether there is a way that a program can take by itself: one that has to be established first counts if that needs no person.
  var isActuallyReachable: Bool {
    guard contains(.reachable) else { return false }
    let isAutomatic = !isDisjoint(with: [.connectionOnTraffic, .connectionOnDemand])
    return !contains(.connectionRequired) || isAutomatic && !contains(.interventionRequired)
  }
}
