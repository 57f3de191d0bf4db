// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

/// A connection by itself: between an owner and a client that only listen.
@Suite struct ConnectionStepTests {
  /// What both were told, in order.
  private final class Listener: ConnectionClient, ConnectionOwner, Sendable {
    let told = Locked<[String]>([])
    var isPaused: Bool { false }
    var isSuspended: Bool { false }
    var continuePatience: UInt64 { .max }
    var last: String { told.withLock { $0.last ?? "" } }

    private func note(_ text: String) { told.withLock { $0.append(text) } }

    func failed(_ cause: TransportError.Cause) { note("failed: \(cause)") }
    func requestStarts(headBytes: Int, reused: Bool) {
      note("request of \(headBytes)\(reused ? ", reused" : "")")
    }
    func staged(_ count: Int) { note("staged \(count)") }
    func sentAny() { note("sent") }
    func flushedBody() { note("flushed") }
    func measureUpload() {}
    func requestEnded() { note("request ended") }
    func hasArrived() -> Bool { true }
    func receivedAny() { note("bytes") }
    func received(interim head: ResponseHead) { note("interim \(head.status)") }
    func received(_ response: ReceivedHead, of byteCount: Int) {
      let length = response.contentLength.map(String.init) ?? "unknown"
      note("head \(response.head.status) of \(byteCount), body \(length)")
    }
    func received(_ bytes: UnsafeRawBufferPointer) { note(String(decoding: bytes, as: UTF8.self)) }
    func received(trailers: FieldBlock) {}
    func responseEnded(_ ending: HTTP1Exchange.Ending) { note("response ended: \(ending)") }
    func upgraded(by upgrade: ChannelUpgrade) { note("upgraded") }
    func responseBroke(_ failure: PeerFailure) { note("response broke: \(failure)") }

    func connectionOpened() { note("opened") }
    func connectionClosed() { note("closed") }
    func idleClosed(_ connection: Connection) { note("idle closed") }
    func withPlaintextBuffer(_ body: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool { false }
  }

  private let stand: ChannelStand
  private let listener = Listener()
  private let connection: LoopConfined<Connection>

  init() throws {
    let (stand, listener) = (try ChannelStand(), listener)
    self.stand = stand
    connection = LoopConfined(
      try stand.loop.withLoop {
        Connection(
          owner: listener, channel: try stand.channel(), tls: nil, http: HTTP1Exchange(), facts: nil)
      })
  }

  private func told() -> [String] { listener.told.withLock { $0 } }

  private func serve() {
    stand.loop.withLoop { connection.value.serve(listener, .plain(to: 80)) }
  }

  @Test func aRequestAndItsResponse() async {
    defer { stand.stop() }
    serve()
    let head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    #expect(stand.peerReceives(head.utf8.count) == head)
    stand.peerSends("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    await Eventually.expect("it has ended") { [listener] in listener.last.hasPrefix("response ended") }
    #expect(
      told() == [
        "opened", "request of \(head.utf8.count)", "sent", "request ended", "bytes", "interim 103",
        "head 200 of 38, body 2", "ok", "response ended: reuse",
      ])
    stand.loop.withLoop {
      connection.value.rest()
      #expect(connection.value.isQuiet)
      connection.value.close()
    }
    #expect(told().last == "closed")
  }

  /// What was on its way when a connection ended, or began to serve somebody else, finds nobody.
  @Test func whatComesLateIsNotHeard() {
    defer { stand.stop() }
    serve()
    stand.loop.withLoop {
      let before = told()
      connection.value.step(.bodyAtHand(Listener()))
      connection.value.step(.continueTimedOut)
      #expect(told() == before)
      connection.value.close()
      let events: [Connection.Event] = [
        .ready(hasRoom: true), .turnToRead, .turnToSend, .bodyAtHand(listener), .continueTimedOut,
        .resumed, .batchIsLate,
      ]
      for event in events { connection.value.step(event) }
      #expect(told() == before + ["closed"])
      #expect(!connection.value.isQuiet)
    }
  }

  @Test func whoSpeaksOutOfTurnIsGivenUp() async {
    defer { stand.stop() }
    stand.loop.withLoop { connection.value.rest() }
    stand.peerSends("HTTP/1.1 408 Request Timeout\r\n\r\n")
    await Eventually.expect("it is closed") { [listener] in listener.last == "closed" }
    #expect(told() == ["opened", "idle closed", "closed"])
  }
}
