// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetWebSocket

/// Both sides with each other.
@Suite struct ServerHandshakeTests {
  private static let opening = [
    ("Upgrade", "websocket"), ("Connection", "keep-alive, Upgrade"), ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
  ]

  private static func values(_ fields: [(String, String)]) -> (String) -> [String] {
    { name in fields.filter { $0.0.lowercased() == name.lowercased() }.map(\.1) }
  }

  @Test func bothSidesAgree() throws {
    var random = SeededGenerator(seed: 8)
    let bits: [Int?] = [nil, 8, 9, 12, 15]
    for (clients, servers) in [false, true].flatMap({ first in [false, true].map { (first, $0) } }) {
      for (own, peer) in bits.flatMap({ first in bits.map { (first, $0) } }) {
        let wish = WebSocketCompression(
          ownNoContextTakeover: clients, peerNoContextTakeover: servers, ownWindowBits: own,
          peerWindowBits: peer)
        let handshake = try WebSocketHandshake(subprotocols: ["a", "b"], compression: wish, using: &random)
        let acceptance = try WebSocketAcceptance(
          method: "GET", compression: WebSocketCompression(peerWindowBits: 12), choosing: { $0.last },
          values: Self.values(handshake.fields))
        let agreement = try handshake.agreement(status: 101, values: Self.values(acceptance.fields))
        #expect(agreement.subprotocol == "b")
        #expect(acceptance.agreement.subprotocol == "b")
        let (mine, theirs) = (try #require(agreement.deflate), try #require(acceptance.agreement.deflate))
        #expect(mine.ownNoContextTakeover == theirs.peerNoContextTakeover)
        #expect(mine.peerNoContextTakeover == theirs.ownNoContextTakeover)
        #expect(mine.ownWindowBits == theirs.peerWindowBits)
        #expect(mine.peerWindowBits == theirs.ownWindowBits)
        #expect(mine.ownWindowBits <= 12)
      }
    }
  }

  /// The first offer that can be taken up, in the client's order (RFC 7692 §5).
  @Test func alternativesAreTried() throws {
    let fields =
      Self.opening + [
        (
          "Sec-WebSocket-Extensions",
          "foo, permessage-deflate; server_max_window_bits=99, permessage-deflate; bar"
        ),
        ("Sec-WebSocket-Extensions", "permessage-deflate; server_no_context_takeover"),
      ]
    let acceptance = try WebSocketAcceptance(
      method: "GET", compression: WebSocketCompression(), values: Self.values(fields))
    #expect(acceptance.agreement.deflate?.ownNoContextTakeover == true)
    #expect(try WebSocketAcceptance(method: "GET", values: Self.values(fields)).agreement.deflate == nil)
  }

  /// A server that would answer what no client takes is told so itself.
  @Test func whatCannotBeAnsweredIsRefused() throws {
    let fields =
      Self.opening + [
        ("Sec-WebSocket-Protocol", "a, b"), ("Sec-WebSocket-Extensions", "permessage-deflate"),
      ]
    let expected = WebSocketError(.invalidOffer, fault: .caller)
    #expect(throws: expected) {
      _ = try WebSocketAcceptance(method: "GET", choosing: { _ in "c" }, values: Self.values(fields))
    }
    #expect(throws: expected) {
      _ = try WebSocketAcceptance(
        method: "GET", compression: WebSocketCompression(ownWindowBits: 20), values: Self.values(fields))
    }
  }

  @Test func whatIsNoOpeningIsRefused() throws {
    func rule(_ method: String = "GET", _ change: (inout [(String, String)]) -> Void) -> WebSocketError.Rule?
    {
      var fields = Self.opening
      change(&fields)
      do throws(WebSocketError) {
        _ = try WebSocketAcceptance(method: method, values: Self.values(fields))
        return nil
      } catch {
        return error.rule
      }
    }
    #expect(rule { _ in } == nil)
    #expect(rule("POST") { _ in } == .invalidOpening)
    for index in 0..<2 { #expect(rule { $0.remove(at: index) } == .invalidOpening) }
    #expect(rule { $0.remove(at: 2) } == .unsupportedVersion)
    #expect(rule { $0[2].1 = "8" } == .unsupportedVersion)
    #expect(rule { $0.remove(at: 3) } == .invalidOpening)
    #expect(rule { $0.append($0[3]) } == .invalidOpening)
    #expect(rule { $0[3].1 = "c2hvcnQ=" } == .invalidOpening)
    #expect(rule { $0[3].1 = "dGhlIHNhbXBsZSBub25jZQ!!" } == .invalidOpening)
    #expect(rule { $0.append(("Sec-WebSocket-Extensions", "a;")) } == .invalidOpening)
  }
}
