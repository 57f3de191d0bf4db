// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetWebSocket

@Suite struct ClientHandshakeTests {
  /// RFC 6455 §1.3.
  @Test func theKeyIsAnswered() throws {
    let key = try #require(WebSocketKey("dGhlIHNhbXBsZSBub25jZQ=="))
    #expect(key.accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func theFieldsMakeARequestAnOpening() throws {
    var random = SeededGenerator(seed: 5)
    let handshake = try WebSocketHandshake(
      subprotocols: ["chat", "superchat"], compression: WebSocketCompression(), using: &random)
    let fields = Dictionary(uniqueKeysWithValues: handshake.fields)
    #expect(fields["Upgrade"] == "websocket")
    #expect(fields["Connection"] == "Upgrade")
    #expect(fields["Sec-WebSocket-Version"] == "13")
    #expect(fields["Sec-WebSocket-Protocol"] == "chat, superchat")
    #expect(fields["Sec-WebSocket-Extensions"] == "permessage-deflate; client_max_window_bits")
    let key = try #require(fields["Sec-WebSocket-Key"])
    #expect(WebSocketKey(key) != nil)
    // A new one each time, from the source that was given.
    let other = try WebSocketHandshake(using: &random)
    #expect(Dictionary(uniqueKeysWithValues: other.fields)["Sec-WebSocket-Key"] != key)
    #expect(other.fields.count == 4)
    random = SeededGenerator(seed: 5)
    let same = try WebSocketHandshake(using: &random)
    #expect(Dictionary(uniqueKeysWithValues: same.fields)["Sec-WebSocket-Key"] == key)
  }

  @Test(arguments: [["a b"], [""], ["a", "a"], ["a,b"], ["é"]])
  func anOfferThatCannotBeWrittenIsRefused(subprotocols: [String]) {
    var random = SeededGenerator(seed: 6)
    #expect(throws: WebSocketError(.invalidOffer, fault: .caller)) {
      try WebSocketHandshake(subprotocols: subprotocols, using: &random)
    }
  }

  @Test(arguments: [0, 7, 16, -1]) func aWindowOfAnotherSizeIsRefused(bits: Int) {
    var random = SeededGenerator(seed: 6)
    for compression in [
      WebSocketCompression(ownWindowBits: bits), WebSocketCompression(peerWindowBits: bits),
    ] {
      #expect(throws: WebSocketError(.invalidOffer, fault: .caller)) {
        try WebSocketHandshake(compression: compression, using: &random)
      }
    }
  }

  struct Answer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var status = 101
    var change: @Sendable (inout [(String, String)]) -> Void = { _ in }
    var outcome: Result<WebSocketAgreement, WebSocketError>

    init(
      _ name: String, status: Int = 101, _ rule: WebSocketError.Rule,
      change: @escaping @Sendable (inout [(String, String)]) -> Void = { _ in }
    ) {
      (testDescription, self.status, self.change, outcome) = (
        name, status, change, .failure(WebSocketError(rule))
      )
    }

    init(
      _ name: String, _ agreement: WebSocketAgreement,
      change: @escaping @Sendable (inout [(String, String)]) -> Void = { _ in }
    ) {
      (testDescription, self.change, outcome) = (name, change, .success(agreement))
    }
  }

  static let answers: [Answer] = [
    Answer("the plainest", WebSocketAgreement()),
    Answer("a subprotocol", WebSocketAgreement(subprotocol: "b")) {
      $0.append(("Sec-WebSocket-Protocol", "b"))
    },
    Answer("other letters and lists", WebSocketAgreement()) {
      $0[0].1 = "keep-alive, UPGRADE"
      $0[1].1 = "WebSocket"
    },
    Answer("an ordinary response", status: 200, .notSwitching(status: 200)),
    Answer("a redirect", status: 301, .notSwitching(status: 301)),
    Answer("no Upgrade", .missingUpgrade) { $0.remove(at: 1) },
    Answer("another protocol", .missingUpgrade) { $0[1].1 = "h2c" },
    Answer("no Connection", .missingUpgrade) { $0.remove(at: 0) },
    Answer("no Accept", .wrongAccept) { $0.remove(at: 2) },
    Answer("two Accepts", .wrongAccept) { $0.append($0[2]) },
    Answer("the Accept of another key", .wrongAccept) { $0[2].1 = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" },
    Answer("the Accept in other letters", .wrongAccept) { $0[2].1 = $0[2].1.lowercased() },
    Answer("a subprotocol that was not offered", .unofferedSubprotocol) {
      $0.append(("Sec-WebSocket-Protocol", "c"))
    },
    Answer("a subprotocol in other letters", .unofferedSubprotocol) {
      $0.append(("Sec-WebSocket-Protocol", "B"))
    },
    Answer("a list of subprotocols", .unofferedSubprotocol) { $0.append(("Sec-WebSocket-Protocol", "a, b")) },
    Answer("two subprotocols", .unofferedSubprotocol) {
      $0 += [("Sec-WebSocket-Protocol", "a"), ("Sec-WebSocket-Protocol", "b")]
    },
    Answer("an extension", .unofferedExtension) {
      $0.append(("Sec-WebSocket-Extensions", "permessage-deflate"))
    },
    Answer("nonsense for an extension", .invalidExtensionParameters) {
      $0.append(("Sec-WebSocket-Extensions", "a b"))
    },
  ]

  @Test(arguments: answers) func aResponseAgreesOrDoesNot(answer: Answer) throws {
    var random = SeededGenerator(seed: 7)
    let handshake = try WebSocketHandshake(subprotocols: ["a", "b"], using: &random)
    let key = try #require(
      WebSocketKey(Dictionary(uniqueKeysWithValues: handshake.fields)["Sec-WebSocket-Key"] ?? ""))
    var fields = [
      ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Accept", key.accept),
    ]
    answer.change(&fields)
    let outcome = Result { () throws(WebSocketError) in
      try handshake.agreement(status: answer.status) { name in fields.filter { $0.0 == name }.map(\.1) }
    }
    #expect(outcome == answer.outcome)
  }

  struct Deflating: Sendable {
    var wish = WebSocketCompression()
    var answer: String
    /// Own and peer's, forgetting and bits; nil for what is refused.
    var agreed: [Int]?
  }

  /// RFC 7692 §7.1.
  @Test(arguments: [
    Deflating(answer: "permessage-deflate", agreed: [0, 0, 15, 15]),
    Deflating(answer: "Permessage-Deflate", agreed: [0, 0, 15, 15]),
    Deflating(answer: "permessage-deflate; server_no_context_takeover", agreed: [0, 1, 15, 15]),
    Deflating(answer: "permessage-deflate;client_no_context_takeover ", agreed: [1, 0, 15, 15]),
    Deflating(answer: "permessage-deflate; server_max_window_bits=10", agreed: [0, 0, 15, 10]),
    Deflating(answer: "permessage-deflate; client_max_window_bits=\"9\"", agreed: [0, 0, 9, 15]),
    Deflating(answer: "permessage-deflate; client_max_window_bits", agreed: nil),
    Deflating(answer: "permessage-deflate; client_max_window_bits=7", agreed: nil),
    Deflating(answer: "permessage-deflate; client_max_window_bits=16", agreed: nil),
    Deflating(answer: "permessage-deflate; client_max_window_bits=010", agreed: nil),
    Deflating(answer: "permessage-deflate; server_max_window_bits", agreed: nil),
    Deflating(answer: "permessage-deflate; server_no_context_takeover=1", agreed: nil),
    Deflating(
      answer: "permessage-deflate; server_no_context_takeover; server_no_context_takeover", agreed: nil),
    Deflating(answer: "permessage-deflate; unknown", agreed: nil),
    Deflating(
      wish: WebSocketCompression(peerNoContextTakeover: true), answer: "permessage-deflate", agreed: nil),
    Deflating(wish: WebSocketCompression(peerWindowBits: 10), answer: "permessage-deflate", agreed: nil),
    Deflating(
      wish: WebSocketCompression(peerWindowBits: 10), answer: "permessage-deflate; server_max_window_bits=11",
      agreed: nil),
    Deflating(
      wish: WebSocketCompression(peerWindowBits: 10), answer: "permessage-deflate; server_max_window_bits=9",
      agreed: [0, 0, 15, 9]),
    Deflating(
      wish: WebSocketCompression(ownWindowBits: 10), answer: "permessage-deflate; client_max_window_bits=11",
      agreed: nil),
    Deflating(
      wish: WebSocketCompression(ownNoContextTakeover: true, ownWindowBits: 10), answer: "permessage-deflate",
      agreed: [1, 0, 10, 15]),
  ])
  func deflateIsNegotiated(row: Deflating) {
    let outcome = Result { () throws(WebSocketError) in
      guard let answer = ExtensionOffer.list([row.answer])?.first else {
        throw WebSocketError(.invalidExtensionParameters)
      }
      return try DeflateNegotiation.agreement(of: answer, to: row.wish)
    }
    switch (outcome, row.agreed) {
    case (.success(let deflate), let agreed?):
      #expect(
        [
          deflate.ownNoContextTakeover ? 1 : 0, deflate.peerNoContextTakeover ? 1 : 0, deflate.ownWindowBits,
          deflate.peerWindowBits,
        ] == agreed)
    case (.failure(let error), nil): #expect(error == WebSocketError(.invalidExtensionParameters))
    default: Issue.record("\(row.answer): \(outcome)")
    }
  }
}
