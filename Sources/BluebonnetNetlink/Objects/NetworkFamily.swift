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
