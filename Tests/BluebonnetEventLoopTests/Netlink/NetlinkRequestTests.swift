// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import Testing

@Suite struct NetlinkRequestTests {
  @Test func allLinks() {
    #expect(
      NetlinkRequest.links(sequence: 3)
        == Datagram.message(18, flags: 0x301, sequence: 3, [UInt8](repeating: 0, count: 16)))
  }

  @Test func aRoute() {
    let body: [UInt8] = [2, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(
      NetlinkRequest.route(to: [127, 0, 0, 1], through: nil, sequence: 4)
        == Datagram.message(26, flags: 1, sequence: 4, body + Datagram.attribute(1, [127, 0, 0, 1])))
  }

  /// For IPv4, the kernel assumes that what has no route is on the link, unless it is asked for what is written down.
  @Test func aRouteThroughAnInterface() {
    let interface = Datagram.attribute(4, Datagram.native(Int32(7)))
    let body: [UInt8] = [2, 32, 0, 0, 0, 0, 0, 0] + Datagram.native(UInt32(0x2000))
    #expect(
      NetlinkRequest.route(to: [10, 0, 0, 1], through: 7, sequence: 4)
        == Datagram.message(
          26, flags: 1, sequence: 4, body + Datagram.attribute(1, [10, 0, 0, 1]) + interface))
    let six = [UInt8](repeating: 1, count: 16)
    let sixBody: [UInt8] = [10, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(
      NetlinkRequest.route(to: six, through: 7, sequence: 4)
        == Datagram.message(26, flags: 1, sequence: 4, sixBody + Datagram.attribute(1, six) + interface))
  }
}
