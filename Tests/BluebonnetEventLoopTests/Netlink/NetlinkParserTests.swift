// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Testing

@Suite struct NetlinkParserTests {
  private static func messages(_ datagram: [UInt8]) throws(NetlinkError) -> [NetlinkMessage] {
    var parser = NetlinkParser(datagram)
    var messages: [NetlinkMessage] = []
    while let packet = try parser.next() { messages.append(packet.message) }
    return messages
  }

  private static let name = Datagram.attribute(3, Array("eth0".utf8) + [0])
  private static let kind = Datagram.attribute(18, Datagram.attribute(1, Array("veth".utf8) + [0]))
  private static let six = [UInt8](repeating: 0, count: 15) + [1]

  static let table: [(datagram: [UInt8], expected: NetlinkMessage)] = [
    (
      Datagram.message(16, Datagram.link(attributes: name + kind)),
      .link(NetworkLink(index: 7, hardwareType: 1, flags: 0x41, name: "eth0", kind: "veth"))
    ),
    // The flag for nested attributes is no part of the type.
    (
      Datagram.message(
        16,
        Datagram.link(attributes: Datagram.attribute(18 | 0x8000, Datagram.attribute(1, Array("wwan".utf8))))),
      .link(NetworkLink(index: 7, hardwareType: 1, flags: 0x41, name: "", kind: "wwan"))
    ),
    (
      Datagram.message(17, Datagram.link(index: 9)),
      .linkRemoved(NetworkLink(index: 9, hardwareType: 1, flags: 0x41, name: ""))
    ),
    (
      Datagram.message(
        20, Datagram.address(family: 2, interface: 3, attributes: Datagram.attribute(1, [10, 0, 0, 1]))),
      .address(NetworkAddress(interface: 3, bytes: [10, 0, 0, 1]))
    ),
    // The address is the peer's where there is a local one beside it.
    (
      Datagram.message(
        20,
        Datagram.address(
          family: 2, interface: 3,
          attributes: Datagram.attribute(1, [10, 0, 0, 2]) + Datagram.attribute(2, [10, 0, 0, 1]))),
      .address(NetworkAddress(interface: 3, bytes: [10, 0, 0, 1]))
    ),
    (
      Datagram.message(
        21, Datagram.address(family: 10, interface: 3, attributes: Datagram.attribute(1, six))),
      .addressRemoved(NetworkAddress(interface: 3, bytes: six))
    ),
    // A value of another size than the family's is none.
    (
      Datagram.message(20, Datagram.address(family: 2, interface: 3, attributes: Datagram.attribute(1, six))),
      .address(NetworkAddress(interface: 3, bytes: []))
    ),
    (
      Datagram.message(
        24,
        Datagram.route(
          attributes: Datagram.attribute(4, Datagram.native(Int32(7))) + Datagram.attribute(5, [10, 0, 0, 1])
            + Datagram.attribute(7, [10, 0, 0, 2]))),
      .route(NetworkRoute(fate: .unicast, interface: 7, gateway: [10, 0, 0, 1], source: [10, 0, 0, 2]))
    ),
    // An IPv6 router of an IPv4 route.
    (
      Datagram.message(24, Datagram.route(attributes: Datagram.attribute(18, [10, 0] + six))),
      .route(NetworkRoute(fate: .unicast, interface: nil, gateway: six))
    ),
    (Datagram.message(24, Datagram.route(fate: 2)), .route(NetworkRoute(fate: .local, interface: nil))),
    (Datagram.message(24, Datagram.route(fate: 7)), .route(NetworkRoute(fate: .other, interface: nil))),
    (Datagram.message(25, Datagram.route()), .routeRemoved(NetworkRoute(fate: .unicast, interface: nil))),
    (Datagram.message(2, Datagram.native(Int32(0))), .acknowledged),
    (Datagram.message(2, Datagram.native(Int32(-101))), .failed(errno: 101)),
    (Datagram.message(2, Datagram.native(Int32.min)), .failed(errno: .max)),
    (Datagram.message(3), .done),
    (Datagram.message(3, Datagram.native(Int32(-16))), .failed(errno: 16)),
    (Datagram.message(4), .overrun),
    (Datagram.message(1), .other(type: 1)),
    (Datagram.message(77, [1, 2, 3]), .other(type: 77)),
  ]

  @Test(arguments: table) func reads(datagram: [UInt8], expected: NetlinkMessage) throws {
    #expect(try Self.messages(datagram) == [expected])
  }

  @Test func severalInOneDatagram() throws {
    let datagrams = Self.table.map(\.datagram)
    #expect(try Self.messages(Array(datagrams.joined())) == Self.table.map(\.expected))
  }

  static let broken: [(datagram: [UInt8], error: NetlinkError)] = [
    ([1, 2, 3], .badMessageLength(3)),
    (Datagram.message(16, length: 15), .badMessageLength(15)),
    (Datagram.message(16, length: 0), .badMessageLength(0)),
    (Datagram.message(16, length: .max), .badMessageLength(.max)),
    (Datagram.message(3, length: 17), .badMessageLength(17)),
    (Datagram.message(16, [0, 0, 1, 0]), .truncatedMessage(type: 16)),
    (Datagram.message(20, [2, 24]), .truncatedMessage(type: 20)),
    (Datagram.message(24, [2, 24, 0, 0]), .truncatedMessage(type: 24)),
    (Datagram.message(2, [0, 0]), .truncatedMessage(type: 2)),
    (
      Datagram.message(16, Datagram.link(attributes: Datagram.attribute(3, [1], length: 3))),
      .badAttributeLength(3)
    ),
    (
      Datagram.message(16, Datagram.link(attributes: Datagram.attribute(3, [1], length: 0))),
      .badAttributeLength(0)
    ),
    (
      Datagram.message(24, Datagram.route(attributes: Datagram.attribute(4, [1], length: .max))),
      .badAttributeLength(.max)
    ),
    // Inside another one.
    (
      Datagram.message(
        16, Datagram.link(attributes: Datagram.attribute(18, Datagram.attribute(1, [1], length: 99)))),
      .badAttributeLength(99)
    ),
  ]

  @Test(arguments: broken) func refuses(datagram: [UInt8], error: NetlinkError) {
    #expect(throws: error) { try Self.messages(datagram) }
  }

  @Test func nothingFollowsAnError() {
    var parser = NetlinkParser(Datagram.message(16, length: 15) + Datagram.message(3))
    #expect(throws: NetlinkError.self) { try parser.next() }
    #expect((try? parser.next()) == .some(nil))
  }

  /// Cut at every place, a datagram gives what is whole of it, and an error where a message is not.
  @Test func everyCut() throws {
    let datagram = Array(Self.table.map(\.datagram).joined())
    var ends = [0]
    for (message, _) in Self.table { ends.append((ends.last ?? 0) + message.count) }
    for cut in 0...datagram.count {
      var parser = NetlinkParser(datagram.prefix(cut))
      var count = 0
      do throws(NetlinkError) {
        while try parser.next() != nil { count += 1 }
        // Only padding may be missing.
        #expect(ends.contains { $0 >= cut && $0 - cut < 4 })
      } catch {
        #expect(!ends.contains(cut))
      }
      #expect(count >= (ends.lastIndex { $0 <= cut } ?? 0), "cut at \(cut)")
      #expect(Array(Self.table.map(\.expected).prefix(count)).count == count)
    }
  }

  /// Whatever a byte is changed to, it is read or refused.
  @Test func everyByteChanged() {
    let datagram = Array(Self.table.map(\.datagram).joined())
    for index in datagram.indices {
      for value: UInt8 in [0, 1, 3, 0x7F, 0x80, 0xFF] {
        var changed = datagram
        changed[index] = value
        _ = try? Self.messages(changed)
      }
    }
  }

  @Test func noise() {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      _ = try? Self.messages(bytes)
      var answer = NetlinkAnswer(to: 1)
      _ = answer.take(bytes)
    }
  }
}
