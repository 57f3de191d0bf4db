// SPDX-License-Identifier: MIT

/// Writes messages of MS-NLMP §2.2: little-endian numbers, and a payload behind the fixed part that fields point into.
struct NTLMWriter {
  private(set) var bytes = Array("NTLMSSP\u{0}".utf8)
  private var payload: [UInt8] = []
  private let payloadStart: Int

  init(type: UInt32, payloadStart: Int) {
    self.payloadStart = payloadStart
    number(type)
  }

  mutating func number(_ value: UInt32) {
    for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
  }

  private mutating func short(_ value: Int) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  /// Writes a field with its content in the payload.
  mutating func field(_ content: [UInt8]) throws(AuthenticationFault) {
    guard content.count <= Int(UInt16.max) else {
      throw AuthenticationFault(.unsupported, .ntlm, "a name or an answer is longer than NTLM can write")
    }
    short(content.count)
    short(content.count)
    number(UInt32(payloadStart + payload.count))
    payload += content
  }

  mutating func raw(_ content: [UInt8]) { bytes += content }

  /// §2.2.2.10: a Windows 10, and the revision of the protocol. Some servers refuse messages without it.
  mutating func version() { bytes += [10, 0, 0x61, 0x4A, 0, 0, 0, 15] }

  consuming func finish() -> [UInt8] {
    assert(bytes.count == payloadStart, "the fixed part is as long as was said")
    return bytes + payload
  }
}
