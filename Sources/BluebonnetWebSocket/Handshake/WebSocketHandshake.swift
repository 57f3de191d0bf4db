// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// A client's opening handshake (RFC 6455 §4.1): the fields that go into its request, and whether a response agrees.
///
/// ```swift
/// let handshake = try WebSocketHandshake(subprotocols: ["chat"], using: &random)
/// // Send a GET with `handshake.fields`; then, with the response:
/// let agreement = try handshake.agreement(status: status) { fields.values(named: $0) }
/// var endpoint = WebSocketEndpoint(.client, agreement: agreement, using: random)
/// ```
public struct WebSocketHandshake: Sendable {
  private let key: WebSocketKey
  private let subprotocols: [String]
  private let compression: WebSocketCompression?

  /// Begins a handshake, with a key of its own.
  ///
  /// - Parameters:
  ///   - subprotocols: What the client speaks, the preferred one first; none by default.
  ///   - compression: What permessage-deflate is offered with; `nil`, the default, does not offer it.
  ///   - random: Where the key comes from.
  /// - Throws: ``WebSocketError/Rule/invalidOffer``.
  public init(
    subprotocols: [String] = [], compression: WebSocketCompression? = nil,
    using random: inout some RandomNumberGenerator
  ) throws(WebSocketError) {
    guard subprotocols.allSatisfy(FieldList.isToken), Set(subprotocols).count == subprotocols.count,
      compression?.isValid ?? true
    else { throw WebSocketError(.invalidOffer, fault: .caller) }
    key = WebSocketKey(using: &random)
    self.subprotocols = subprotocols
    self.compression = compression
  }

  /// The fields that make a GET request an opening handshake. `Host` and `Origin` are left to the sender.
  public var fields: [(name: String, value: String)] {
    var fields = [
      (name: "Connection", value: "Upgrade"), (name: "Upgrade", value: "websocket"),
      (name: "Sec-WebSocket-Version", value: "13"), (name: "Sec-WebSocket-Key", value: key.value),
    ]
    if !subprotocols.isEmpty {
      fields.append(("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")))
    }
    if let compression {
      fields.append(("Sec-WebSocket-Extensions", DeflateNegotiation.offer(compression).text))
    }
    return fields
  }

  /// Looks at the final response.
  ///
  /// - Parameters:
  ///   - status: Its status.
  ///   - values: The values of all its fields of a name, in order; asked for in any case of letters.
  /// - Returns: What both sides have agreed on.
  /// - Throws: What the server did wrong.
  public func agreement(
    status: Int, values: (String) -> [String]
  ) throws(WebSocketError) -> WebSocketAgreement {
    guard status == 101 else { throw WebSocketError(.notSwitching(status: status)) }
    guard FieldList.contains("websocket", in: values("Upgrade")),
      FieldList.contains("upgrade", in: values("Connection"))
    else { throw WebSocketError(.missingUpgrade) }
    let accepts = values("Sec-WebSocket-Accept").map { $0.trimmingOptionalWhitespace }
    guard accepts == [key.accept[...]] else { throw WebSocketError(.wrongAccept) }
    return WebSocketAgreement(
      subprotocol: try subprotocol(in: values("Sec-WebSocket-Protocol")),
      deflate: try deflate(in: values("Sec-WebSocket-Extensions")))
  }

  private func subprotocol(in values: [String]) throws(WebSocketError) -> String? {
    guard let chosen = values.first else { return nil }
    let name = String(chosen.trimmingOptionalWhitespace)
    guard values.count == 1, subprotocols.contains(name) else { throw WebSocketError(.unofferedSubprotocol) }
    return name
  }

  private func deflate(in values: [String]) throws(WebSocketError) -> WebSocketDeflate? {
    guard let answers = ExtensionOffer.list(values) else { throw WebSocketError(.invalidExtensionParameters) }
    guard let answer = answers.first else { return nil }
    guard let compression, answers.count == 1, answer.name == DeflateNegotiation.name else {
      throw WebSocketError(.unofferedExtension)
    }
    return try DeflateNegotiation.agreement(of: answer, to: compression)
  }
}

/// The agreement of both sides in the opening handshake.
public struct WebSocketAgreement: Sendable, Hashable {
  /// The subprotocol that both speak (RFC 6455 §1.9); `nil` if there is none.
  public var subprotocol: String?
  /// The compression of messages; `nil` for none.
  public var deflate: WebSocketDeflate?

  /// An agreement; on nothing by default.
  public init(subprotocol: String? = nil, deflate: WebSocketDeflate? = nil) {
    self.subprotocol = subprotocol
    self.deflate = deflate
  }
}
