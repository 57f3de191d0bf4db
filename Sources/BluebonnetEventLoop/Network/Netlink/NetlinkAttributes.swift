// SPDX-License-Identifier: MIT

/// The reason why a datagram of netlink(7) is unreadable.
package enum NetlinkError: Error, Equatable, Hashable, Sendable {
  /// A message says that it is longer than the rest of the datagram, or shorter than its own header.
  case badMessageLength(UInt32)
  /// A message is too short for what its type has to say.
  case truncatedMessage(type: UInt16)
  /// An attribute says that it is longer than the rest of its message, or shorter than its own header.
  case badAttributeLength(UInt16)
}

/// Walks through the attributes behind a message's fixed part (`struct rtattr` of rtnetlink(7)): each a length of two
/// bytes, a type of two, and so many bytes, then nothing up to the next multiple of four.
struct NetlinkAttributes {
  private static let headerSize = 4
  /// The upper two bits of the type are flags: nested, and in network byte order.
  private static let typeMask: UInt16 = 0x3FFF

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next one, or nil at the end.
  mutating func next() throws(NetlinkError) -> (type: UInt16, value: ArraySlice<UInt8>)? {
    // Less than a header is padding.
    guard let length: UInt16 = rest.number(at: 0), let type: UInt16 = rest.number(at: 2) else { return nil }
    let size = Int(length)
    guard size >= Self.headerSize, size <= rest.count else { throw .badAttributeLength(length) }
    let value = rest.prefix(size).dropFirst(Self.headerSize)
    rest = rest.dropFirst(size.netlinkAligned)
    return (type & Self.typeMask, value)
  }

  /// Calls `body` with each.
  static func forEach(
    in bytes: ArraySlice<UInt8>, _ body: (UInt16, ArraySlice<UInt8>) throws(NetlinkError) -> Void
  ) throws(NetlinkError) {
    var attributes = NetlinkAttributes(bytes)
    while let (type, value) = try attributes.next() { try body(type, value) }
  }
}
