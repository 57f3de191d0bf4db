// SPDX-License-Identifier: MIT

/// The content of one message of rtnetlink(7), as far as it matters here.
package enum NetlinkMessage: Equatable, Hashable, Sendable {
  /// A link is there, or has changed.
  case link(NetworkLink)
  /// A link is gone.
  case linkRemoved(NetworkLink)
  /// An interface has an address.
  case address(NetworkAddress)
  /// An interface has lost an address.
  case addressRemoved(NetworkAddress)
  /// There is a route; or it is the answer to the question for one.
  case route(NetworkRoute)
  /// A route is gone.
  case routeRemoved(NetworkRoute)
  /// The request has been carried out (`NLMSG_ERROR` with 0).
  case acknowledged
  /// The request has failed, with an error number of the kernel's.
  case failed(errno: Int32)
  /// The end of an answer that takes several messages.
  case done
  /// Messages were lost.
  case overrun
  /// Something else.
  case other(type: UInt16)
}

/// The types of messages (`linux/netlink.h`, `linux/rtnetlink.h`).
package enum NetlinkType {
  static let error: UInt16 = 2
  static let done: UInt16 = 3
  static let overrun: UInt16 = 4
  static let newLink: UInt16 = 16
  static let deleteLink: UInt16 = 17
  static let getLink: UInt16 = 18
  static let newAddress: UInt16 = 20
  static let deleteAddress: UInt16 = 21
  static let newRoute: UInt16 = 24
  static let deleteRoute: UInt16 = 25
  static let getRoute: UInt16 = 26
}

/// The flags of a message's header.
package struct NetlinkFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// It asks for something (`NLM_F_REQUEST`).
  package static let request = NetlinkFlags(rawValue: 0x01)
  /// One of several messages, ending with `NLMSG_DONE` (`NLM_F_MULTI`).
  package static let multipart = NetlinkFlags(rawValue: 0x02)
  /// The answer has changed while it was told (`NLM_F_DUMP_INTR`).
  package static let interrupted = NetlinkFlags(rawValue: 0x10)
  /// Asks for all there are (`NLM_F_DUMP`), in a request.
  package static let dump = NetlinkFlags(rawValue: 0x300)
}
