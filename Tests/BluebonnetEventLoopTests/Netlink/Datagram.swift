// SPDX-License-Identifier: MIT

/// Datagrams of netlink, written down by hand.
enum Datagram {
  static func message(
    _ type: UInt16, flags: UInt16 = 0, sequence: UInt32 = 0, length: UInt32? = nil, _ body: [UInt8] = []
  ) -> [UInt8] {
    var bytes = native(length ?? UInt32(16 + body.count)) + native(type) + native(flags) + native(sequence)
    bytes += native(UInt32(0)) + body
    return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  static func attribute(_ type: UInt16, _ value: [UInt8], length: UInt16? = nil) -> [UInt8] {
    let bytes = native(length ?? UInt16(4 + value.count)) + native(type) + value
    return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  static func link(
    index: Int32 = 7, hardwareType: UInt16 = 1, flags: UInt32 = 0x41, attributes: [UInt8] = []
  ) -> [UInt8] {
    [0, 0] + native(hardwareType) + native(index) + native(flags) + native(UInt32(0)) + attributes
  }

  static func address(family: UInt8, interface: UInt32, attributes: [UInt8] = []) -> [UInt8] {
    [family, 24, 0, 0] + native(interface) + attributes
  }

  static func route(family: UInt8 = 2, fate: UInt8 = 1, attributes: [UInt8] = []) -> [UInt8] {
    [family, 32, 0, 0, 254, 0, 0, fate] + native(UInt32(0)) + attributes
  }

  static func native(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }
}
