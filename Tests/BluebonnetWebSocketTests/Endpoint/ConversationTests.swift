// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetWebSocket

/// Two endpoints that say anything, over a stream that cuts anywhere.
@Suite struct ConversationTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func everythingArrivesInOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var agreed: WebSocketDeflate?
    if seed % 3 != 0 {
      var deflate = WebSocketDeflate()
      deflate.ownNoContextTakeover = Bool.random(using: &random)
      deflate.peerNoContextTakeover = Bool.random(using: &random)
      deflate.ownWindowBits = Int.random(in: 8...15, using: &random)
      deflate.peerWindowBits = Int.random(in: 8...15, using: &random)
      deflate.threshold = [0, 10, 1000].randomElement(using: &random) ?? 0
      agreed = deflate
    }
    var mirrored = agreed
    if let agreed {
      mirrored?.ownNoContextTakeover = agreed.peerNoContextTakeover
      mirrored?.peerNoContextTakeover = agreed.ownNoContextTakeover
      mirrored?.ownWindowBits = agreed.peerWindowBits
      mirrored?.peerWindowBits = agreed.ownWindowBits
    }
    var sender = client(deflate: agreed)
    var receiver = server(deflate: mirrored)
    for toServer in [true, false] {
      var said: [Told] = []
      var wire: [UInt8] = []
      for _ in 0..<40 {
        if toServer {
          said += try Self.speak(&sender, using: &random)
          wire += sender.flush()
        } else {
          said += try Self.speak(&receiver, using: &random)
          wire += receiver.flush()
        }
      }
      var heard: [Told] = []
      // What is left is not moved for each piece.
      var rest = wire[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(Int.random(in: 1...700, using: &random)))
        rest = rest.dropFirst(piece.count)
        heard += toServer ? receiver.hear(piece) : sender.hear(piece)
        // Answers to pings.
        if toServer { _ = receiver.flush() } else { _ = sender.flush() }
      }
      // Pings overtake the message whose fragments they stand between.
      #expect(heard.filter(\.isMessage) == said.filter(\.isMessage))
      #expect(heard.filter { !$0.isMessage } == said.filter { !$0.isMessage })
    }
  }

  private static func speak(
    _ endpoint: inout WebSocketEndpoint, using random: inout SeededGenerator
  ) throws -> [Told] {
    let count = [0, 1, 5, 130, 3000, 70_000].randomElement(using: &random) ?? 0
    let isNoise = Bool.random(using: &random)
    let bytes = isNoise ? random.bytes(count) : Array(text(count).utf8)
    switch Int.random(in: 0...4, using: &random) {
    case 0:
      try endpoint.ping(Array(text(count % 100).utf8))
      return [.ping(text(count % 100))]
    case 1:
      try endpoint.say(text(count))
      return [.text(text(count))]
    case 2:
      try endpoint.say(bytes)
      return [.binary(bytes)]
    default:
      var rest = bytes[...]
      let first = rest.prefix(Int.random(in: 0...count, using: &random))
      rest = rest.dropFirst(first.count)
      try endpoint.begin(.binary, Array(first))
      var told: [Told] = []
      while !rest.isEmpty, Bool.random(using: &random) {
        let piece = rest.prefix(Int.random(in: 0...rest.count, using: &random))
        rest = rest.dropFirst(piece.count)
        try endpoint.goOn(Array(piece), isLast: false)
        try endpoint.ping([0x70])
        told.append(.ping("p"))
      }
      try endpoint.goOn(Array(rest), isLast: true)
      return told + [.binary(bytes)]
    }
  }
}

extension Told {
  var isMessage: Bool {
    switch self {
    case .text, .binary: true
    case .ping, .pong, .close, .failed: false
    }
  }
}
