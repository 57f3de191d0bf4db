// SPDX-License-Identifier: MIT

/// Writes chunked bodies (RFC 9112 §7.1).
public enum ChunkedEncoder {
  /// The bytes behind the data of every chunk.
  public static var chunkEnd: [UInt8] { [Byte.cr, Byte.lf] }
  /// Ends a body that has no trailer fields.
  public static var terminator: [UInt8] { Array("0\r\n\r\n".utf8) }

  /// The size line before `size` bytes of data. A size of zero would end the body: there is no line for it, and
  /// the result is empty.
  public static func header(size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    appendHeader(size: size, to: &bytes)
    return bytes
  }

  /// Appends the size line before `size` bytes of data; nothing if there are none.
  public static func appendHeader(size: Int, to bytes: inout [UInt8]) {
    guard size > 0 else { return }
    var shift = (Int.bitWidth - size.leadingZeroBitCount - 1) & ~3
    while shift >= 0 {
      bytes.append(digit(size >> shift))
      shift -= 4
    }
    bytes.append(Byte.cr)
    bytes.append(Byte.lf)
  }

  /// The hexadecimal digit of the lowest four bits.
  static func digit(_ number: Int) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: number & 0xF)
    return value < 10 ? 0x30 &+ value : 0x61 &+ value &- 10
  }

  /// Ends a body with trailer fields. Refuses fields that would be malformed, or that must not be trailers because
  /// they frame or route the message (RFC 9110 §6.5.1).
  public static func terminator(trailers: FieldBlock) throws(HTTP1Error) -> [UInt8] {
    var bytes = Array("0\r\n".utf8)
    for index in trailers.indices {
      switch trailers.known(at: index) {
      case .contentLength, .transferEncoding, .host, .connection, .trailer, .te, .contentEncoding,
        .contentType,
        .contentRange, .authorization, .setCookie, .expect:
        throw HTTP1Error(.invalidFieldName, offset: 0, fault: .caller)
      default:
        try FieldWriter.append(name: trailers.name(at: index), value: trailers.value(at: index), to: &bytes)
      }
    }
    bytes.append(contentsOf: chunkEnd)
    return bytes
  }
}
