// SPDX-License-Identifier: MIT

/// The parameters of permessage-deflate as one side writes them and the other reads them (RFC 7692 §7.1).
enum DeflateNegotiation {
  static let name = "permessage-deflate"

  private enum Name {
    static let serverForgets = "server_no_context_takeover"
    static let clientForgets = "client_no_context_takeover"
    static let serverWindow = "server_max_window_bits"
    static let clientWindow = "client_max_window_bits"
  }

  /// A client's offer. That it knows `client_max_window_bits` is always said, so that the server may ask for it.
  static func offer(_ wish: WebSocketCompression) -> ExtensionOffer {
    var offer = ExtensionOffer(name)
    if wish.peerNoContextTakeover { offer.parameters.append((Name.serverForgets, nil)) }
    if wish.ownNoContextTakeover { offer.parameters.append((Name.clientForgets, nil)) }
    if let bits = wish.peerWindowBits { offer.parameters.append((Name.serverWindow, "\(bits)")) }
    offer.parameters.append((Name.clientWindow, wish.ownWindowBits.map { "\($0)" }))
    return offer
  }

  /// The agreement by a server's answer to an offer.
  static func agreement(
    of answer: ExtensionOffer, to wish: WebSocketCompression
  ) throws(WebSocketError) -> WebSocketDeflate {
    let said = try Parameters(answer, needsClientWindow: true)
    // The server must promise the things asked of it (§7.1.1.1, §7.1.2.1).
    if wish.peerNoContextTakeover, !said.serverForgets { throw WebSocketError(.invalidExtensionParameters) }
    if let most = wish.peerWindowBits {
      guard let bits = said.serverWindow, bits <= most else {
        throw WebSocketError(.invalidExtensionParameters)
      }
    }
    if let bits = said.clientWindow, bits > wish.ownWindowBits ?? 15 {
      throw WebSocketError(.invalidExtensionParameters)
    }
    var deflate = WebSocketDeflate()
    deflate.ownNoContextTakeover = said.clientForgets || wish.ownNoContextTakeover
    deflate.peerNoContextTakeover = said.serverForgets
    deflate.ownWindowBits = said.clientWindow ?? wish.ownWindowBits ?? 15
    deflate.peerWindowBits = said.serverWindow ?? 15
    deflate.threshold = wish.threshold
    return deflate
  }

  /// A server's answer to an offer, and the agreement by it; nil if it declines.
  static func answer(
    to offer: ExtensionOffer, as wish: WebSocketCompression
  ) -> (ExtensionOffer, WebSocketDeflate)? {
    guard let asked = try? Parameters(offer, needsClientWindow: false) else { return nil }
    var answer = ExtensionOffer(name)
    var deflate = WebSocketDeflate()
    deflate.threshold = wish.threshold
    if asked.serverForgets || wish.ownNoContextTakeover {
      deflate.ownNoContextTakeover = true
      answer.parameters.append((Name.serverForgets, nil))
    }
    if asked.clientForgets || wish.peerNoContextTakeover {
      deflate.peerNoContextTakeover = true
      answer.parameters.append((Name.clientForgets, nil))
    }
    let own = [asked.serverWindow, wish.ownWindowBits].compactMap(\.self).min()
    if let own {
      deflate.ownWindowBits = own
      answer.parameters.append((Name.serverWindow, "\(own)"))
    }
    // The client cannot be asked for what it does not know (§7.1.2.2).
    guard asked.knowsClientWindow else { return wish.peerWindowBits == nil ? (answer, deflate) : nil }
    let peer = [asked.clientWindow, wish.peerWindowBits].compactMap(\.self).min()
    if let peer {
      deflate.peerWindowBits = peer
      answer.parameters.append((Name.clientWindow, "\(peer)"))
    }
    return (answer, deflate)
  }

  private struct Parameters {
    var serverForgets = false
    var clientForgets = false
    var serverWindow: Int?
    var clientWindow: Int?
    var knowsClientWindow = false

    /// - Parameter needsClientWindow: In an answer, `client_max_window_bits` has a value.
    init(_ offer: ExtensionOffer, needsClientWindow: Bool) throws(WebSocketError) {
      var seen: Set<String> = []
      for (name, value) in offer.parameters {
        guard seen.insert(name).inserted else { throw WebSocketError(.invalidExtensionParameters) }
        switch (name, value) {
        case (Name.serverForgets, nil): serverForgets = true
        case (Name.clientForgets, nil): clientForgets = true
        case (Name.serverWindow, let value?): serverWindow = try Self.bits(value)
        case (Name.clientWindow, let value?):
          clientWindow = try Self.bits(value)
          knowsClientWindow = true
        case (Name.clientWindow, nil) where !needsClientWindow: knowsClientWindow = true
        default: throw WebSocketError(.invalidExtensionParameters)
        }
      }
    }

    /// A number without leading zeros (§7.1.2).
    private static func bits(_ text: String) throws(WebSocketError) -> Int {
      guard let bits = Int(text), "\(bits)" == text, WebSocketCompression.windowRange.contains(bits) else {
        throw WebSocketError(.invalidExtensionParameters)
      }
      return bits
    }
  }
}
