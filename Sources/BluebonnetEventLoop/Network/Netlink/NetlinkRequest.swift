// SPDX-License-Identifier: MIT

/// The questions that are asked of the kernel, as bytes.
package enum NetlinkRequest {
  /// `RTM_F_FIB_MATCH`: the route as it is written down, and no route where the kernel would only assume one.
  private static let fibMatch: UInt32 = 0x2000

  /// Asks for all links.
  package static func links(sequence: UInt32) -> [UInt8] {
    // struct ifinfomsg, of which only the family says something: AF_UNSPEC, all of them.
    message(
      NetlinkType.getLink, [.request, .dump], sequence: sequence, body: [UInt8](repeating: 0, count: 16))
  }

  /// Asks where packets to an address go. Nothing is sent there.
  ///
  /// - Parameters:
  ///   - destination: Four bytes, or sixteen.
  ///   - interface: The index of the only interface that counts; nil for the kernel's choice.
  package static func route(to destination: [UInt8], through interface: Int32?, sequence: UInt32) -> [UInt8] {
    let isIPv4 = destination.count == 4
    // struct rtmsg: family, the prefixes' lengths, tos, table, protocol, scope, type, flags.
    var body: [UInt8] = [
      isIPv4 ? NetworkFamily.ipv4 : NetworkFamily.ipv6, UInt8(clamping: destination.count * 8), 0, 0, 0, 0, 0,
      0,
    ]
    body.append(native: interface != nil && isIPv4 ? fibMatch : UInt32(0))
    append(RouteAttribute.destination, destination, to: &body)
    if let interface {
      append(RouteAttribute.outgoingInterface, withUnsafeBytes(of: interface) { Array($0) }, to: &body)
    }
    return message(NetlinkType.getRoute, .request, sequence: sequence, body: body)
  }

  private static func append(_ type: UInt16, _ value: [UInt8], to body: inout [UInt8]) {
    body.append(native: UInt16(4 + value.count))
    body.append(native: type)
    body += value
    body += [UInt8](repeating: 0, count: value.count.netlinkAligned - value.count)
  }

  private static func message(
    _ type: UInt16, _ flags: NetlinkFlags, sequence: UInt32, body: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(native: UInt32(16 + body.count))
    bytes.append(native: type)
    bytes.append(native: flags.rawValue)
    bytes.append(native: sequence)
    // The kernel knows the socket's owner.
    bytes.append(native: UInt32(0))
    return bytes + body
  }
}
