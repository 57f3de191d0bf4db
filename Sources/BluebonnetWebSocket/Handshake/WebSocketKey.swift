// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// The value of `Sec-WebSocket-Key`, and the answer to it (RFC 6455 §4.1, §4.2.2).
struct WebSocketKey: Sendable, Hashable {
  /// 16 bytes in base64.
  let value: String

  /// A new one for each handshake.
  init(using random: inout some RandomNumberGenerator) {
    var bytes: [UInt8] = []
    for _ in 0..<2 { bytes += random.next().bigEndianBytes }
    value = Base64.encode(bytes)
  }

  /// One that was received; nil if it is not 16 bytes in base64.
  init?(_ value: String) {
    guard value.utf8.count == 24, value.hasSuffix("=="), Base64.decode(value)?.count == 16 else { return nil }
    self.value = value
  }

  /// The required value of `Sec-WebSocket-Accept`.
  var accept: String {
    Base64.encode(SHA1.digest(Array((value + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }
}
