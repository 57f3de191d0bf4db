// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetWebSocket

@Suite struct SendingTests {
  /// The shortest form of each length, and the payload behind the key.
  @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
  func aServerHearsWhatAClientSends(count: Int) throws {
    var sender = client()
    var receiver = server()
    try sender.say(pattern(count))
    let wire = sender.flush()
    let header = count <= 125 ? 2 : count <= 0xFFFF ? 4 : 10
    #expect(wire.count == header + 4 + count)
    #expect(wire[1] & 0x80 != 0)
    #expect(receiver.hear(wire) == [.binary(pattern(count))])
    // The other way without a mask.
    try receiver.say(pattern(count))
    let answer = receiver.flush()
    #expect(answer == frame(0x82, pattern(count)))
    #expect(sender.hear(answer) == [.binary(pattern(count))])
  }

  @Test func fragmentsGoOneBehindTheOther() throws {
    var sender = server()
    var receiver = client()
    try sender.begin(.text, [0x61, 0xE2])
    try sender.ping([1])
    try sender.goOn([0x82], isLast: false)
    try sender.goOn([0xAC], isLast: true)
    try sender.say("b")
    let wire = sender.flush()
    #expect(
      wire == frame(0x01, [0x61, 0xE2]) + frame(0x89, [1]) + frame(0x00, [0x82]) + frame(0x80, [0xAC])
        + frame(0x81, "b"))
    #expect(receiver.hear(wire) == [.ping("\u{1}"), .text("a€"), .text("b")])
  }

  /// Bytes leave as slowly as a channel takes them.
  @Test func whatWaitsIsSentInAnyPieces() throws {
    var sender = client()
    var receiver = server()
    try sender.say("one")
    try sender.say(pattern(300))
    var wire: [UInt8] = []
    while sender.unsentBytes > 0 {
      let piece = sender.withOutgoing { span in span.indices.prefix(7).map { span[$0] } }
      sender.sent(piece.count)
      wire += piece
      if wire.count == 14 { try sender.say("late") }
    }
    #expect(receiver.hear(wire) == [.text("one"), .binary(pattern(300)), .text("late")])
  }

  /// What must not be sent is refused, whose fault it is is said, and nothing of it goes out.
  @Test func misuseIsRefused() throws {
    func check(_ rule: WebSocketError.Rule, _ act: (inout WebSocketEndpoint) throws -> Void) {
      var endpoint = client()
      #expect(throws: WebSocketError(rule, fault: .caller)) { try act(&endpoint) }
    }
    check(.invalidText) { try $0.say(text: [0xFF]) }
    check(.invalidText) { try $0.say(text: [0xE2, 0x82]) }
    check(.invalidText) {
      try $0.begin(.text, [0xE2])
      try $0.goOn([0x82], isLast: true)
    }
    check(.interruptedMessage) {
      try $0.begin(.text, [])
      try $0.say("a")
    }
    check(.unexpectedContinuation) { try $0.goOn([], isLast: true) }
    check(.controlTooLong) { try $0.ping(pattern(126)) }
    check(.controlTooLong) { try $0.close(.normalClosure, reason: pattern(124)) }
    check(.invalidText) { try $0.close(.normalClosure, reason: [0xFF]) }
    check(.invalidClose) { try $0.close(nil, reason: [0x61]) }
    for code: WebSocketCloseCode in [
      .noStatusReceived, .abnormalClosure, .tlsHandshakeFailure, .init(rawValue: 0),
    ] {
      check(.invalidClose) { try $0.close(code) }
    }
    for act: (inout WebSocketEndpoint) throws -> Void in [
      { try $0.say("a") }, { try $0.ping() }, { try $0.goOn([], isLast: true) },
    ] {
      check(.closed) {
        try $0.close(.normalClosure)
        try act(&$0)
      }
    }
    var endpoint = server()
    #expect(throws: WebSocketError.self) { try endpoint.say(text: [0xFF]) }
    #expect(endpoint.unsentBytes == 0)
    try endpoint.say("a")
    #expect(endpoint.flush() == frame(0x81, "a"))
  }

  // MARK: Pings

  @Test func pingsAreAnsweredInOrder() throws {
    var asking = server()
    var answering = client()
    for number in UInt8(0)..<10 { try asking.ping([number]) }
    let told = answering.hear(asking.flush())
    #expect(told == (UInt8(0)..<10).map { .ping(String(decoding: [$0], as: UTF8.self)) })
    #expect(
      asking.hear(answering.flush()) == (UInt8(0)..<10).map { .pong(String(decoding: [$0], as: UTF8.self)) })
  }

  /// §5.5.3: whoever pings and does not read gets the last answer, and fills no memory.
  @Test func answersDoNotPileUp() throws {
    var asking = server()
    var answering = client()
    for number in 0..<10_000 {
      try asking.ping(Array("\(number)".utf8) + pattern(100))
      _ = answering.hear(asking.flush())
    }
    #expect(answering.unsentBytes < 17 * 1024)
    let told = asking.hear(answering.flush())
    #expect(told.last == .pong("9999" + String(decoding: pattern(100), as: UTF8.self)))
    #expect(told.count < 200)
  }

  // MARK: Closing

  /// The one who began hears its own code back (§5.5.1), and neither says a second Close.
  @Test func closingIsAnswered() throws {
    var one = client()
    var other = server()
    try one.close(.goingAway, reason: Array("bye".utf8))
    try one.close(.normalClosure)
    #expect(one.isClosing == true)
    #expect(one.isClosed == false)
    #expect(other.hear(one.flush()) == [.close(1001, "bye")])
    #expect(other.isClosed == true)
    #expect(other.received?.code == .goingAway)
    let answer = other.flush()
    #expect(answer == frame(0x88, [0x03, 0xE9]))
    #expect(one.hear(answer) == [.close(1001, "")])
    #expect(one.isClosed == true)
    #expect(one.unsentBytes == 0)
    try one.peerEnded()
    try other.peerEnded()
  }

  @Test func aCloseWithoutACodeIsAnsweredWithoutOne() throws {
    var one = client()
    var other = server()
    try one.close(nil)
    #expect(other.hear(one.flush()) == [.close(1005, "")])
    #expect(other.flush() == frame(0x88))
  }

  /// Messages that were on their way still come; pings are not answered behind a Close.
  @Test func whatCrossesAClose() throws {
    var one = client()
    var other = server()
    try one.close(.normalClosure)
    try other.say("late")
    try other.ping()
    let close = one.flush()
    #expect(one.hear(other.flush()) == [.text("late"), .ping("")])
    #expect(one.unsentBytes == 0)
    #expect(other.hear(close) == [.close(1000, "")])
  }

  @Test func anEndWithoutACloseIsAnError() {
    var endpoint = client()
    #expect(throws: WebSocketError(.truncated)) { try endpoint.peerEnded() }
    #expect(endpoint.unsentBytes == 0)
    #expect(throws: WebSocketError(.truncated)) { try endpoint.peerEnded() }
    endpoint = client()
    _ = endpoint.hear(frame(0x01, "a"))
    #expect(throws: WebSocketError(.truncated)) { try endpoint.peerEnded() }
  }

  /// §7.1.7, §7.4.1: the peer is told what it did wrong.
  @Test(arguments: [
    (frame(0x83), WebSocketCloseCode.protocolError), (frame(0x81, [0xFF]), .invalidFramePayloadData),
    (frame(0x82, pattern(20)), .messageTooBig), (frame(0x88, [0]), .protocolError),
  ])
  func aBrokenRuleIsTold(wire: [UInt8], code: WebSocketCloseCode) throws {
    var endpoint = client(limits: WebSocketLimits(messageBytes: 10))
    var peer = server()
    #expect(endpoint.hear(wire).count == 1)
    #expect(endpoint.isClosing == true)
    #expect(throws: WebSocketError(.closed, fault: .caller)) { try endpoint.say("a") }
    #expect(peer.hear(endpoint.flush()) == [.close(code.rawValue, "")])
  }

  /// A message is lent as long as it stands, and taken once.
  @Test func aMessageIsLentUntilItIsTaken() throws {
    func lent(_ endpoint: borrowing WebSocketEndpoint) -> [UInt8] {
      endpoint.withMessage { span in span.withUnsafeBytes { Array($0) } }
    }
    var receiver = client()
    #expect(lent(receiver).isEmpty)
    let wire = frame(0x81, "one") + frame(0x82, [1, 2]) + frame(0x01, "th")
    var consumed = 0
    #expect(try receiver.receive(in: wire.span, consumed: &consumed) == .message(.text))
    #expect(lent(receiver) == Array("one".utf8))
    #expect(lent(receiver) == Array("one".utf8))
    #expect(try receiver.receive(in: wire.span, consumed: &consumed) == .message(.binary))
    #expect(lent(receiver) == [1, 2])
    #expect(receiver.takeMessage() == [1, 2])
    #expect(lent(receiver).isEmpty)
    // Half a message is none.
    #expect(try receiver.receive(in: wire.span, consumed: &consumed) == .needsMore)
    #expect(lent(receiver).isEmpty)
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { try receiver.withMessage { _ throws(Refusal) in throw Refusal() } }
  }
}
