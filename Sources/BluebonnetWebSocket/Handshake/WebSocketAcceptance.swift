// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// A server's answer to an opening handshake (RFC 6455 §4.2): the fields of its 101, and what they agree on.
public struct WebSocketAcceptance: Sendable {
  /// The fields that make a 101 the answer.
  public let fields: [(name: String, value: String)]
  /// The agreement of both sides.
  public let agreement: WebSocketAgreement

  /// Looks at a request.
  ///
  /// - Parameters:
  ///   - method: Its method.
  ///   - values: The values of all its fields of a name, in order; asked for in any case of letters.
  ///   - choose: Picks one of the subprotocols that the client offers, in its order, or none; none by default.
  ///   - compression: How messages may be compressed if the client offers it; `nil`, the default, for not at all.
  /// - Throws: ``WebSocketError/Rule/invalidOpening``, which a server answers with 400, and
  ///   ``WebSocketError/Rule/unsupportedVersion``, with 426 and `Sec-WebSocket-Version: 13`;
  ///   ``WebSocketError/Rule/invalidOffer``, the caller's fault, for a subprotocol that the client has not offered, or a window of
  ///   an impossible size.
  public init(
    method: String, compression: WebSocketCompression? = nil,
    choosing choose: ([String]) -> String? = { _ in nil },
    values: (String) -> [String]
  ) throws(WebSocketError) {
    guard method == "GET", FieldList.contains("websocket", in: values("Upgrade")),
      FieldList.contains("upgrade", in: values("Connection"))
    else { throw WebSocketError(.invalidOpening) }
    guard values("Sec-WebSocket-Version").map({ $0.trimmingOptionalWhitespace }) == ["13"] else {
      throw WebSocketError(.unsupportedVersion)
    }
    let keys = values("Sec-WebSocket-Key").map { String($0.trimmingOptionalWhitespace) }
    guard keys.count == 1, let key = WebSocketKey(keys[0]) else { throw WebSocketError(.invalidOpening) }
    let offered = FieldList.elements(of: values("Sec-WebSocket-Protocol")).map { String($0) }
    var fields = [
      (name: "Connection", value: "Upgrade"), (name: "Upgrade", value: "websocket"),
      (name: "Sec-WebSocket-Accept", value: key.accept),
    ]
    var agreement = WebSocketAgreement()
    guard compression?.isValid ?? true else { throw WebSocketError(.invalidOffer, fault: .caller) }
    if !offered.isEmpty, let chosen = choose(offered) {
      guard offered.contains(chosen) else { throw WebSocketError(.invalidOffer, fault: .caller) }
      agreement.subprotocol = chosen
      fields.append(("Sec-WebSocket-Protocol", chosen))
    }
    guard let offers = ExtensionOffer.list(values("Sec-WebSocket-Extensions")) else {
      throw WebSocketError(.invalidOpening)
    }
    if let compression {
      // The first that can be taken up: a client lists alternatives in the order of its preference.
      for offer in offers where offer.name == DeflateNegotiation.name {
        guard let (answer, deflate) = DeflateNegotiation.answer(to: offer, as: compression) else { continue }
        agreement.deflate = deflate
        fields.append(("Sec-WebSocket-Extensions", answer.text))
        break
      }
    }
    self.fields = fields
    self.agreement = agreement
  }
}
