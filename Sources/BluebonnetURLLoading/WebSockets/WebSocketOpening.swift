// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetWebSocket

/// The opening handshake that a request carries (RFC 6455 §4.1). An object, so that requests without it have nothing of it to
/// copy.
final class WebSocketOpening: Sendable {
  /// The offer to the server.
  struct Offer: Sendable {
    /// Subprotocols, beside those that stand in the request's field.
    var protocols: [String] = []
    var compression: WebSocketCompression?
  }

  let handshake: WebSocketHandshake
  let request: URLRequest

  /// Makes the request one, with a key of its own.
  ///
  /// - Parameter common: What the session sends beside the request's own fields.
  /// - Throws: `URLError` if the request, or the session, asks for what a handshake cannot have.
  init(_ original: URLRequest, _ offer: Offer, common: HeaderFields) throws(URLError) {
    var request = original
    if let refused = Self.refusal(of: request, common) { throw refused.error(for: request.url) }
    let name = "Sec-WebSocket-Protocol"
    let stated = request.value(forHTTPHeaderField: name) ?? common[name] ?? ""
    var names = stated.split(separator: ",").map { String($0.trimmingOptionalWhitespace) }
    for name in offer.protocols where !names.contains(name) { names.append(name) }
    do throws(WebSocketError) {
      var random = KernelRandom()
      handshake = try WebSocketHandshake(subprotocols: names, compression: offer.compression, using: &random)
    } catch {
      throw RefusedSetting(
        "Sec-WebSocket-Protocol", "is \"\(names.joined(separator: ", "))\"",
        instead: "name each subprotocol once, as a token (RFC 6455 §4.1)"
      ).error(for: request.url)
    }
    for (name, value) in handshake.fields { request.setValue(value, forHTTPHeaderField: name) }
    self.request = request
  }

  private static func refusal(of request: URLRequest, _ common: HeaderFields) -> RefusedSetting? {
    guard request.httpMethod ?? "GET" == "GET" else {
      return RefusedSetting(
        "URLRequest.httpMethod", "is \(request.httpMethod ?? "")", instead: "a WebSocket is opened with GET")
    }
    guard request.httpBody == nil, request.httpBodyStream == nil else {
      return RefusedSetting(
        "URLRequest.httpBody", "has no place in a WebSocket's opening handshake",
        instead: "send it as a message")
    }
    for name in [
      "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions", "Upgrade", "Connection",
    ]
    where request.value(forHTTPHeaderField: name) != nil {
      return RefusedSetting(
        "URLRequest.allHTTPHeaderFields", "sets \(name), which belongs to the handshake",
        instead: "see URLSessionConfiguration.webSocketCompression for extensions, and leave the rest away")
    }
    // What else may stand there, the handshake's own takes the place of.
    if common["Sec-WebSocket-Extensions"] != nil {
      return RefusedSetting(
        "URLSessionConfiguration.httpAdditionalHeaders",
        "sets Sec-WebSocket-Extensions, which belongs to the handshake",
        instead: "see URLSessionConfiguration.webSocketCompression")
    }
    return nil
  }
}
