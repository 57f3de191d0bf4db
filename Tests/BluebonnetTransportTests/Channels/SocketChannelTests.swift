// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport

@Suite struct SocketChannelTests {
  @Test func piecesGoOutOneBehindTheOther() throws {
    let stand = try ChannelStand()
    defer { stand.stop() }
    try stand.loop.withLoop {
      let channel = try stand.channel()
      #expect(channel.write(texts: ["POST / HTTP/1.1\r\n\r\n", "5\r\n", "hello", "\r\n"]) == .bytes(29))
      #expect(channel.unsentBytes == 0)
      #expect(channel.flush() == .done)
      channel.close()
    }
    #expect(stand.peerReceives(29) == "POST / HTTP/1.1\r\n\r\n5\r\nhello\r\n")
  }

  /// What is told while nobody owns the channel is not lost on the next owner.
  @Test func aNewOwnerFindsWhatCameBeforeIt() async throws {
    let stand = try ChannelStand()
    defer { stand.stop() }
    let channel = LoopConfined(try stand.loop.withLoop { try stand.channel() })
    stand.peerSends("early")
    await Eventually.expect("the loop was told") { stand.loop.withLoop { channel.value.mayRead } }
    stand.loop.withLoop {
      let channel = channel.value
      let owner = Listening()
      channel.owner = owner
      #expect(!channel.isQuiet)
      #expect(channel.readText().text == "early")
      #expect(!channel.mayRead)
      #expect(channel.readText().outcome == .later)
      #expect(channel.isQuiet)
      channel.close()
      #expect(channel.owner == nil)
      #expect(!channel.isQuiet)
    }
  }

  /// That there is room means something only to who waits for it.
  @Test func roomIsToldToWhoWaitsForIt() async throws {
    let stand = try ChannelStand()
    defer { stand.stop() }
    let owner = Listening()
    let channel = LoopConfined(try stand.loop.withLoop { try stand.channel() })
    stand.loop.withLoop { channel.value.owner = owner }
    stand.peerSends("a")
    // How often is the kernel's business.
    await Eventually.expect("it was told of bytes") { owner.heard.withLock { !$0.isEmpty } }
    #expect(owner.heard.withLock { $0 }.allSatisfy { !$0 }, "nobody waits for room")
    let page = String(repeating: "x", count: 65_536)
    let sent = stand.loop.withLoop {
      var sent = 0
      while case .bytes(let count) = channel.value.write(text: page) { sent += count }
      return sent
    }
    #expect(stand.peerReceives(sent).count == sent)
    await Eventually.expect("it was told of room") {
      owner.heard.withLock { $0.contains(true) }
    }
    stand.loop.withLoop { channel.value.close() }
  }

  @Test func theEndIsToldAsOftenAsItIsAskedFor() async throws {
    let stand = try ChannelStand()
    defer { stand.loop.stop() }
    let channel = LoopConfined(try stand.loop.withLoop { try stand.channel() })
    stand.peerSends("bye")
    close(stand.peer)
    await Eventually.expect("the loop was told") { stand.loop.withLoop { channel.value.hasHungUp } }
    stand.loop.withLoop {
      #expect(!channel.value.isQuiet)
      #expect(channel.value.readText().text == "bye")
      #expect(channel.value.readText().outcome == .end)
      #expect(channel.value.readText().outcome == .end)
      guard case .failed(.network) = channel.value.write(text: "too late") else {
        Issue.record("there is nobody to write to")
        return
      }
      channel.value.close()
    }
  }
}
