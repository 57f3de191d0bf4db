// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import Testing

/// What Linux tells about the kinds of interfaces.
@Suite struct NetworkInterfaceTests {
  static let table:
    [(
      hardware: UInt16, flags: UInt32, virtual: String?, events: String?, kind: NetworkInterface.Kind
    )] = [
      (772, 0x9, nil, nil, .loopback),
      (1, 0x1, nil, nil, .wired),
      (1, 0x1, "veth", nil, .wired),
      (1, 0x1, nil, "INTERFACE=eth0\nIFINDEX=7\n", .wired),
      (1, 0x1, nil, "DEVTYPE=wlan\nINTERFACE=w0\nIFINDEX=7\n", .wireless),
      (1, 0x1, nil, "DEVTYPE=wwan\nINTERFACE=w0\nIFINDEX=7\n", .cellular),
      (1, 0x1, nil, "DEVTYPE=bridge\nINTERFACE=b0\nIFINDEX=7\n", .wired),
      // Of another interface with that name, in another namespace.
      (1, 0x1, nil, "DEVTYPE=wwan\nINTERFACE=w0\nIFINDEX=77\n", .wired),
      (1, 0x1, nil, "DEVTYPE=wlan", .wired),
      (801, 0x1, nil, nil, .wireless),
      (803, 0x1, nil, nil, .wireless),
      (519, 0x1, nil, nil, .cellular),
      (1, 0x1, "wwan", nil, .cellular),
      (512, 0x1, nil, nil, .other),
      (65534, 0x1, "tun", nil, .other),
      (65534, 0x1, "wireguard", nil, .other),
    ]

  @Test(arguments: table.indices) func kinds(row: Int) {
    let (hardware, flags, virtual, events, kind) = Self.table[row]
    let link = NetworkLink(index: 7, hardwareType: hardware, flags: flags, name: "x", kind: virtual)
    #expect(NetworkInterface(link, events: events) == NetworkInterface(index: 7, name: "x", kind: kind))
  }
}
