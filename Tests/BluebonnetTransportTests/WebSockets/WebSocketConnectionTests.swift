// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetTestSupport
import BluebonnetWebSocket
import Glibc
import Testing

@testable import BluebonnetTransport

@Suite struct WebSocketConnectionTests {
  private func expect(
    _ stand: WebSocketStand, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await Eventually.expect("it has come to \(lines)", sourceLocation: sourceLocation) {
      stand.client.heard.withLock { $0.count >= lines.count }
    }
    #expect(stand.client.heard.withLock { $0 } == lines, sourceLocation: sourceLocation)
  }

  @Test func messagesGoBothWays() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    var peer = WebSocketPeer(stand.stand.peer)
    stand.say("hello", noting: "sent")
    #expect(peer.hear() == "text hello")
    try peer.say("one")
    try peer.act { try $0.send(.binary, Array("two".utf8).span) }
    await expect(stand, ["sent", "text one", "binary two"])
  }

  /// What came in one segment with the upgrade is the first that is heard.
  @Test func whatCameWithTheUpgradeComesFirst() async throws {
    let stand = try WebSocketStand(unread: [0x81, 1, 0x61, 0x81])
    defer { stand.stop() }
    stand.stand.peerSends("\u{1}b")
    await expect(stand, ["text a", "text b"])
  }

  /// However many messages have come at once: other jobs of the loop are done before all of them have been told.
  @Test func otherWorkHasItsTurn() async throws {
    let frame: [UInt8] = [0x82, 126, 0x27, 0x10] + [UInt8](repeating: 0x61, count: 10_000)
    let stand = try WebSocketStand(unread: Array(repeatElement(frame, count: 400).joined())) { client in
      client.reaction.withLock {
        $0 = { [weak client] connection, _ in
          guard client?.heard.withLock({ $0.count }) == 1 else { return }
          connection.loop.enqueue { [client] in client?.note("job", nil) }
        }
      }
    }
    defer { stand.stop() }
    await Eventually.expect("all have come") { stand.client.heard.withLock { $0.count } == 401 }
    let place = stand.client.heard.withLock { $0.firstIndex(of: "job") }
    #expect(try #require(place) < 300)
  }

  /// From within the telling of a message, which is inside a read.
  @Test func anEchoFromWithin() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    stand.client.reaction.withLock {
      $0 = { connection, bytes in connection.send(.text, bytes.span) { _ in } }
    }
    var peer = WebSocketPeer(stand.stand.peer)
    for number in 0..<200 { try peer.say("\(number)") }
    for number in 0..<200 { #expect(peer.hear() == "text \(number)") }
  }

  @Test func pingsAreAnsweredBothWays() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    var peer = WebSocketPeer(stand.stand.peer)
    stand.act { connection in
      connection.ping { [client = stand.client] error in client.note("pong", error) }
    }
    #expect(peer.hear() == "ping")
    await expect(stand, ["pong"])
    try peer.act { try $0.ping([1, 2, 3]) }
    #expect(peer.hear() == "pong")
    #expect(stand.client.heard.withLock { $0 } == ["pong"])
  }

  // MARK: Closing

  @Test func theClientCloses() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    var peer = WebSocketPeer(stand.stand.peer)
    stand.say("last", noting: "sent")
    try stand.act { try $0.close(.normalClosure, reason: Array("bye".utf8)) }
    stand.say("late", noting: "late")
    #expect(peer.hear() == "text last")
    #expect(peer.hear() == "close 1000")
    await expect(
      stand,
      ["sent", "late: the connection is closed (RFC 6455 §5.5.1) exchanging messages", "close 1000 ", "end"])
    // The server ends the connection, and ours goes then.
    shutdown(stand.stand.peer, Int32(SHUT_WR))
    #expect(peer.hear() == nil)
  }

  @Test func theServerCloses() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    var peer = WebSocketPeer(stand.stand.peer)
    stand.act { connection in
      connection.ping { [client = stand.client] error in client.note("pong", error == nil ? nil : error) }
    }
    // Closes instead of answering the ping.
    try peer.act { try $0.close(.goingAway, reason: Array("down".utf8)) }
    #expect(peer.hear() == "ping")
    #expect(peer.hear() == "close 1001")
    await expect(
      stand,
      ["close 1001 down", "pong: the connection is closed (RFC 6455 §5.5.1) exchanging messages", "end"])
  }

  @Test func aCloseThatIsNotAnsweredTimesOut() async throws {
    let stand = try WebSocketStand(WebSocketSettings(closePatience: 50_000_000))
    defer { stand.stop() }
    try stand.act { try $0.close(.normalClosure) }
    await expect(stand, ["end: it took too long exchanging messages"])
    var byte: UInt8 = 0
    while recv(stand.stand.peer, &byte, 1, 0) == 1 {}
  }

  @Test func cancellingSaysGoingAway() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    var peer = WebSocketPeer(stand.stand.peer)
    stand.act { $0.cancel() }
    await expect(stand, ["end: it was cancelled being cancelled"])
    #expect(peer.hear() == "close 1001")
  }

  /// A peer that goes on and on is not heard to the end of patience.
  @Test func whoDoesNotStopIsCutOff() async throws {
    let stand = try WebSocketStand(WebSocketSettings(closePatience: 3_600_000_000_000))
    defer { stand.stop() }
    stand.stand.peerSends("\u{3}\u{1}a")
    await expect(
      stand,
      [
        "end: the server breaks the rules of WebSocket: a reserved opcode (RFC 6455 §5.2) exchanging messages"
      ])
    let noise = [UInt8](repeating: 7, count: 64 * 1024)
    var sent = 0
    while sent < 64 << 20 {
      let count = send(stand.stand.peer, noise, noise.count, Int32(MSG_NOSIGNAL))
      if count < 0 { break }
      sent += count
    }
    #expect(sent < 16 << 20, "\(sent) bytes went out")
  }

  // MARK: Failures

  @Test func anEndWithoutACloseIsAFailure() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    shutdown(stand.stand.peer, Int32(SHUT_RDWR))
    await expect(
      stand,
      ["end: the server closed the connection without a Close (RFC 6455 §7.1.5) exchanging messages"])
  }

  /// What was said before is heard, the rule is named, and the server is told.
  @Test func aBrokenRuleIsAFailure() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    stand.stand.peerSends("\u{1}\u{1}a")
    stand.stand.peerSends("\u{3}\u{1}a")
    await expect(
      stand,
      [
        "end: the server breaks the rules of WebSocket: a reserved opcode (RFC 6455 §5.2) exchanging messages"
      ])
    var peer = WebSocketPeer(stand.stand.peer)
    #expect(peer.hear() == "close 1002")
  }

  @Test func aPingWithoutPongTimesOut() async throws {
    let stand = try WebSocketStand(WebSocketSettings(silence: 50_000_000))
    defer { stand.stop() }
    stand.act { connection in
      connection.ping { [client = stand.client] error in client.note("pong", error) }
    }
    await expect(
      stand,
      [
        "pong: it took too long exchanging messages",
        "end: it took too long exchanging messages",
      ])
  }

  /// A peer that does not read: the one who waits for a message to leave hears that it took too long.
  @Test func aMessageThatIsNotTakenTimesOut() async throws {
    let stand = try WebSocketStand(WebSocketSettings(silence: 100_000_000))
    defer { stand.stop() }
    stand.say(String(repeating: "x", count: 8 << 20), noting: "sent")
    await expect(
      stand, ["sent: it took too long sending the request", "end: it took too long sending the request"])
  }

  // MARK: Holding back

  /// Nothing is read for a client that holds back, and nothing is lost.
  @Test func whatIsHeldBackStaysWhereItIs() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    stand.client.reaction.withLock { $0 = { connection, _ in connection.hold(.backlog) } }
    var peer = WebSocketPeer(stand.stand.peer)
    for number in 0..<10 { try peer.say("\(number)") }
    for number in 0..<10 {
      await Eventually.expect("\(number) has come") { stand.client.heard.withLock { $0.count } == number + 1 }
      // A turn of the loop, in which no more comes.
      await stand.turn()
      #expect(stand.client.heard.withLock { $0.last } == "text \(number)")
      stand.act { $0.release(.backlog) }
    }
    shutdown(stand.stand.peer, Int32(SHUT_WR))
  }

  /// A peer that is not heard cannot go on for long.
  @Test func aPausedClientStopsThePeer() async throws {
    let stand = try WebSocketStand()
    defer { stand.stop() }
    stand.client.reaction.withLock { $0 = { connection, _ in connection.hold(.backlog) } }
    _ = fcntl(stand.stand.peer, F_SETFL, O_NONBLOCK)
    let frame = [0x82, 126, 0x04, 0x00] + [UInt8](repeating: 7, count: 1024)
    var sent = 0
    var refusals = 0
    while refusals < 20, sent < 8 << 20 {
      let count = send(stand.stand.peer, frame, frame.count, Int32(MSG_NOSIGNAL))
      if count > 0 {
        sent += count
      } else {
        refusals += 1
        await stand.turn()
      }
    }
    #expect(sent < 1 << 20, "\(sent) bytes went out")
    #expect(stand.client.heard.withLock { $0.count } == 1)
  }
}

extension WebSocketStand {
  /// Waits for what the loop has to do now.
  func turn() async {
    await withCheckedContinuation { continuation in stand.loop.enqueue { continuation.resume() } }
  }
}
