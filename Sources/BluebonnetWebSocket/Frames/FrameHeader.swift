// SPDX-License-Identifier: MIT

/// The header of a frame (RFC 6455 §5.2):
///
///      0               1               2 …
///     ┌─┬─┬─┬─┬───────┬─┬─────────────┬───────────────────────┬────────────────────┐
///     │F│R│R│R│opcode │M│ length (7)  │ 2 or 8 bytes of length │ 4 bytes of the key │
///     └─┴─┴─┴─┴───────┴─┴─────────────┴───────────────────────┴────────────────────┘
struct FrameHeader: Sendable, Equatable {
  /// The most payload of control frames (§5.5).
  static let longestControl = 125

  var opcode: Opcode
  var isFinal = true
  /// RSV1: the message is compressed (RFC 7692 §6).
  var isCompressed = false
  var length = 0
  /// The masking key as it lies in memory; nil without one.
  var mask: UInt32?

  /// The size of a header in bytes, by its first two.
  static func size(_ second: UInt8) -> Int {
    let length =
      switch second & 0x7F {
      case 126: 4
      case 127: 10
      default: 2
      }
    return second & 0x80 == 0 ? length : length + 4
  }

  /// Reads a header that is all there: of as many bytes as `size` says.
  ///
  /// What depends on more than the header, such as whether something may be continued, is the endpoint's to know.
  init(_ bytes: UnsafeRawBufferPointer) throws(WebSocketError) {
    let (first, second) = (bytes[0], bytes[1])
    // RSV2 and RSV3: no extension that is spoken here gives them a meaning.
    guard first & 0x30 == 0 else { throw WebSocketError(.reservedBit) }
    guard let opcode = Opcode(rawValue: first & 0x0F) else { throw WebSocketError(.reservedOpcode) }
    self.opcode = opcode
    isFinal = first & 0x80 != 0
    isCompressed = first & 0x40 != 0
    var keyStart = 2
    switch second & 0x7F {
    case 126:
      length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
      keyStart = 4
      guard length > 125 else { throw WebSocketError(.invalidLength) }
    case 127:
      let long = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
      keyStart = 10
      guard long > 0xFFFF, long >> 63 == 0 else { throw WebSocketError(.invalidLength) }
      length = Int(long)
    case let short: length = Int(short)
    }
    if second & 0x80 != 0 { mask = bytes.loadUnaligned(fromByteOffset: keyStart, as: UInt32.self) }
    guard opcode.isControl else { return }
    guard isFinal else { throw WebSocketError(.fragmentedControl) }
    guard length <= Self.longestControl else { throw WebSocketError(.controlTooLong) }
    guard !isCompressed else { throw WebSocketError(.reservedBit) }
  }

  init(_ opcode: Opcode, length: Int, mask: UInt32?) {
    self.opcode = opcode
    self.length = length
    self.mask = mask
  }

  /// Appends it to the bytes.
  func append(to bytes: inout [UInt8]) {
    bytes.append(opcode.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0))
    let masked: UInt8 = mask == nil ? 0 : 0x80
    switch length {
    case ...125: bytes.append(masked | UInt8(length))
    case ...0xFFFF:
      bytes.append(masked | 126)
      withUnsafeBytes(of: UInt16(length).bigEndian) { bytes.append(contentsOf: $0) }
    default:
      bytes.append(masked | 127)
      withUnsafeBytes(of: UInt64(length).bigEndian) { bytes.append(contentsOf: $0) }
    }
    if let mask { withUnsafeBytes(of: mask) { bytes.append(contentsOf: $0) } }
  }
}
