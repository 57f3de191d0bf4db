/// The reason why a datagram of netlink(7) is unreadable.
package enum NetlinkError: Error, Equatable, Hashable, Sendable {
  /// A message says that it is longer than the rest of the datagram, or shorter than its own header.
  case badMessageLength(UInt32)
  /// A message is too short for what its type has to say.
  case truncatedMessage(type: UInt16)
  /// An attribute says that it is longer than the rest of its message, or shorter than its own header.
  case badAttributeLength(UInt16)
}
