// SPDX-License-Identifier: MIT

/// A network interface as a link (`RTM_NEWLINK`, rtnetlink(7)).
package struct NetworkLink: Equatable, Hashable, Sendable {
  /// Its number, which stays the same as long as it exists.
  package let index: Int32
  /// `ARPHRD_…` of `linux/if_arp.h`.
  package let hardwareType: UInt16
  /// `IFF_…` of netdevice(7).
  package let flags: UInt32
  /// Its name; empty if it was not told.
  package let name: String
  /// The kind of a virtual device: `veth`, `bridge`, `wwan`; nil for most others.
  package let kind: String?

  private static let headerSize = 16
  private static let nameAttribute: UInt16 = 3
  private static let linkInformationAttribute: UInt16 = 18
  private static let kindAttribute: UInt16 = 1

  private static let upFlag: UInt32 = 0x1
  private static let loopbackFlag: UInt32 = 0x8
  private static let runningFlag: UInt32 = 0x40

  package init(index: Int32, hardwareType: UInt16, flags: UInt32, name: String, kind: String? = nil) {
    self.index = index
    self.hardwareType = hardwareType
    self.flags = flags
    self.name = name
    self.kind = kind
  }

  /// Reads `struct ifinfomsg` and its attributes.
  init(_ payload: ArraySlice<UInt8>, type: UInt16) throws(NetlinkError) {
    guard payload.count >= Self.headerSize, let hardwareType: UInt16 = payload.number(at: 2),
      let index: Int32 = payload.number(at: 4), let flags: UInt32 = payload.number(at: 8)
    else { throw .truncatedMessage(type: type) }
    var name = ""
    var kind: String?
    try NetlinkAttributes.forEach(in: payload.from(Self.headerSize)) { (type, value) throws(NetlinkError) in
      switch type {
      case Self.nameAttribute: name = Self.text(value)
      case Self.linkInformationAttribute:
        try NetlinkAttributes.forEach(in: value) { type, value in
          if type == Self.kindAttribute { kind = Self.text(value) }
        }
      default: break
      }
    }
    self.init(index: index, hardwareType: hardwareType, flags: flags, name: name, kind: kind)
  }

  /// Text of the kernel's, up to its NUL.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// It is switched on, and something is at its other end (RFC 2863's operational state: up, or unknown to the driver).
  package var isRunning: Bool { flags & Self.upFlag != 0 && flags & Self.runningFlag != 0 }

  /// It leads back to this machine.
  package var isLoopback: Bool { flags & Self.loopbackFlag != 0 }
}
