// SPDX-License-Identifier: MIT

/// A route, or where a packet goes (`RTM_NEWROUTE`, rtnetlink(7)).
package struct NetworkRoute: Equatable, Hashable, Sendable {
  /// The fate of packets (`RTN_…`).
  package enum Fate: UInt8, Sendable {
    /// They leave through an interface.
    case unicast = 1
    /// They stay in this machine.
    case local = 2
    /// They go to all, or nowhere, or are refused.
    case other = 0
  }

  package let fate: Fate
  /// The interface that they leave through; nil if that was not told.
  package var interface: Int32?
  /// The next router; nil if the destination is on the link itself.
  package let gateway: [UInt8]?
  /// The address that they would be sent from; nil if that was not told.
  package let source: [UInt8]?

  private static let headerSize = 12

  package init(fate: Fate, interface: Int32?, gateway: [UInt8]? = nil, source: [UInt8]? = nil) {
    self.fate = fate
    self.interface = interface
    self.gateway = gateway
    self.source = source
  }

  /// Reads `struct rtmsg` and its attributes.
  init(_ payload: ArraySlice<UInt8>, type: UInt16) throws(NetlinkError) {
    guard payload.count >= Self.headerSize, let family: UInt8 = payload.number(at: 0),
      let fate: UInt8 = payload.number(at: 7)
    else { throw .truncatedMessage(type: type) }
    let size = NetworkFamily.addressSize(family)
    var interface: Int32?
    var (gateway, source): ([UInt8]?, [UInt8]?)
    try NetlinkAttributes.forEach(in: payload.from(Self.headerSize)) { type, value in
      switch type {
      case RouteAttribute.outgoingInterface: interface = value.number(at: 0) ?? interface
      // An IPv4 route may have an IPv6 router: a family of two bytes, then the address.
      case RouteAttribute.via where value.count > 2: gateway = Array(value.dropFirst(2))
      case RouteAttribute.gateway where value.count == size: gateway = Array(value)
      case RouteAttribute.preferredSource where value.count == size: source = Array(value)
      default: break
      }
    }
    self.init(fate: Fate(rawValue: fate) ?? .other, interface: interface, gateway: gateway, source: source)
  }
}

/// The attributes of routes (`RTA_…`).
enum RouteAttribute {
  static let destination: UInt16 = 1
  static let outgoingInterface: UInt16 = 4
  static let gateway: UInt16 = 5
  static let preferredSource: UInt16 = 7
  static let via: UInt16 = 18
}
