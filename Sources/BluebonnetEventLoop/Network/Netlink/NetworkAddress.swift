// SPDX-License-Identifier: MIT

/// An address of an interface (`RTM_NEWADDR`, rtnetlink(7)).
package struct NetworkAddress: Equatable, Hashable, Sendable {
  /// The interface's number.
  package let interface: UInt32
  /// Four bytes, or sixteen; none for a family that is none of ours.
  package let bytes: [UInt8]

  private static let headerSize = 8
  private static let addressAttribute: UInt16 = 1
  private static let localAttribute: UInt16 = 2

  package init(interface: UInt32, bytes: [UInt8]) {
    self.interface = interface
    self.bytes = bytes
  }

  /// Reads `struct ifaddrmsg` and its attributes.
  init(_ payload: ArraySlice<UInt8>, type: UInt16) throws(NetlinkError) {
    guard let family: UInt8 = payload.number(at: 0), let interface: UInt32 = payload.number(at: 4) else {
      throw .truncatedMessage(type: type)
    }
    let size = NetworkFamily.addressSize(family)
    var (address, local): ([UInt8], [UInt8]) = ([], [])
    try NetlinkAttributes.forEach(in: payload.from(Self.headerSize)) { type, value in
      guard value.count == size else { return }
      if type == Self.addressAttribute { address = Array(value) }
      if type == Self.localAttribute { local = Array(value) }
    }
    // On a link between two machines the one is the other's.
    self.init(interface: interface, bytes: local.isEmpty ? address : local)
  }
}

/// The numbers of the address families, as netlink writes them.
package enum NetworkFamily {
  package static let ipv4: UInt8 = 2
  package static let ipv6: UInt8 = 10

  /// The length of its addresses in bytes; nil for a family that is none of ours.
  static func addressSize(_ family: UInt8) -> Int? {
    switch family {
    case ipv4: 4
    case ipv6: 16
    default: nil
    }
  }
}
