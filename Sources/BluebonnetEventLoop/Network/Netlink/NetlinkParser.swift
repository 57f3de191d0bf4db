// SPDX-License-Identifier: MIT

/// Takes a datagram of rtnetlink(7) apart.
///
///     nlmsghdr: length 4, type 2, flags 2, sequence 4, port 4
///     then what the type says, then attributes, then nothing up to the next multiple of four
///
/// No byte of a datagram can make it read outside it, or do anything but throw. After a throw it is at the end: the start of
/// the next message is unknown.
package struct NetlinkParser {
  /// A message, and the request it answers.
  package struct Packet: Equatable, Sendable {
    package let message: NetlinkMessage
    package let flags: NetlinkFlags
    /// The number of the request; 0 in an unsolicited message.
    package let sequence: UInt32
  }

  private static let headerSize = 16

  private var rest: ArraySlice<UInt8>

  /// - Parameter datagram: What one `recv` has given.
  package init(_ datagram: some Sequence<UInt8>) { rest = Array(datagram)[...] }

  /// The next message; nil at the end.
  package mutating func next() throws(NetlinkError) -> Packet? {
    guard !rest.isEmpty else { return nil }
    do throws(NetlinkError) {
      return try packet()
    } catch {
      rest = []
      throw error
    }
  }

  private mutating func packet() throws(NetlinkError) -> Packet {
    guard let length: UInt32 = rest.number(at: 0), let type: UInt16 = rest.number(at: 4),
      let flags: UInt16 = rest.number(at: 6), let sequence: UInt32 = rest.number(at: 8)
    else { throw .badMessageLength(UInt32(rest.count)) }
    guard length >= Self.headerSize, length <= rest.count else { throw .badMessageLength(length) }
    let payload = rest.prefix(Int(length)).from(Self.headerSize)
    rest = rest.from(Int(length).netlinkAligned)
    return Packet(
      message: try Self.message(type, payload), flags: NetlinkFlags(rawValue: flags), sequence: sequence)
  }

  private static func message(_ type: UInt16, _ payload: ArraySlice<UInt8>) throws(NetlinkError)
    -> NetlinkMessage
  {
    switch type {
    case NetlinkType.newLink: return .link(try NetworkLink(payload, type: type))
    case NetlinkType.deleteLink: return .linkRemoved(try NetworkLink(payload, type: type))
    case NetlinkType.newAddress: return .address(try NetworkAddress(payload, type: type))
    case NetlinkType.deleteAddress: return .addressRemoved(try NetworkAddress(payload, type: type))
    case NetlinkType.newRoute: return .route(try NetworkRoute(payload, type: type))
    case NetlinkType.deleteRoute: return .routeRemoved(try NetworkRoute(payload, type: type))
    case NetlinkType.overrun: return .overrun
    // What ends an answer may say that it has failed.
    case NetlinkType.done: return failure(payload) ?? .done
    case NetlinkType.error:
      guard payload.count >= 4 else { throw .truncatedMessage(type: type) }
      return failure(payload) ?? .acknowledged
    default: return .other(type: type)
    }
  }

  /// The kernel says its error numbers as negative ones.
  private static func failure(_ payload: ArraySlice<UInt8>) -> NetlinkMessage? {
    guard let code: Int32 = payload.number(at: 0), code != 0 else { return nil }
    return .failed(errno: code == .min ? .max : abs(code))
  }
}
