// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import Testing

@Suite struct NetlinkAnswerTests {
  private static let link = NetlinkMessage.link(NetworkLink(index: 7, hardwareType: 1, flags: 0x41, name: ""))

  private static func part(_ sequence: UInt32 = 5, flags: UInt16 = 2) -> [UInt8] {
    Datagram.message(16, flags: flags, sequence: sequence, Datagram.link())
  }

  private static func end(_ sequence: UInt32 = 5, flags: UInt16 = 2, _ body: [UInt8] = []) -> [UInt8] {
    Datagram.message(3, flags: flags, sequence: sequence, body)
  }

  static let table: [(datagrams: [[UInt8]], last: NetlinkAnswer.Step)] = [
    ([part(), part() + end()], .complete([link, link])),
    ([part() + end()], .complete([link])),
    ([end()], .complete([])),
    // One message is the whole answer unless it says otherwise.
    ([part(flags: 0)], .complete([link])),
    ([Datagram.message(2, sequence: 5, Datagram.native(Int32(0)))], .complete([])),
    ([Datagram.message(2, sequence: 5, Datagram.native(Int32(-101)))], .failed(errno: 101)),
    ([part(), end(5, Datagram.native(Int32(-16)))], .failed(errno: 16)),
    // It changed while it was told.
    ([part(flags: 0x12), end()], .askAgain),
    ([part(), end(flags: 0x12)], .askAgain),
    ([Datagram.message(4, sequence: 5)], .askAgain),
    // Somebody else's.
    ([part(4, flags: 0)], .receive),
    ([part(4) + end(4), part() + end()], .complete([link])),
    ([[]], .receive),
    ([[1, 2]], .malformed(.badMessageLength(2))),
  ]

  @Test(arguments: table) func takes(datagrams: [[UInt8]], last: NetlinkAnswer.Step) {
    var answer = NetlinkAnswer(to: 5)
    for datagram in datagrams.dropLast() { #expect(answer.take(datagram) == .receive) }
    #expect(answer.take(datagrams[datagrams.count - 1]) == last)
  }
}
