/// The value of `Sec-WebSocket-Key`, and the answer to it (RFC 6455 §4.1, §4.2.2).
struct WebSocketKey: Sendable, Hashable {
  /// 16 bytes in base64.
  let value: String

  /// A new one for each handshake.
  init(using random: inout some RandomNumberGenerator) {
    var bytes: [UInt8] = []
    for _ in 0..<2 { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    value = Base64.encode(bytes)
  }

  /// One that was received; nil if it is not 16 bytes in base64.
  init?(_ value: String) {
    let digits = value.utf8.dropLast(2)
    guard value.utf8.count == 24, value.hasSuffix("=="), digits.allSatisfy(Base64.digits.contains) else {
      return nil
    }
    self.value = value
  }

  /// The required value of `Sec-WebSocket-Accept`.
  var accept: String {
    Base64.encode(SHA1.digest(Array((value + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }
}

/// Base64 (RFC 4648 §4). The module that has it in full stands beside this one, which needs these lines of it.
private enum Base64 {
  static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(digits[Int(bits >> count & 63)])
      }
    }
    if count > 0 { text.append(digits[Int(bits << (6 - count) & 63)]) }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }
}
