// SPDX-License-Identifier: MIT

/// The options of Connection that matter to a client or server (RFC 9110 §7.6.1), taken as the fields come.
struct ConnectionOptions: Sendable {
  var closes = false
  var keepsAlive = false

  /// Takes one field value. Nearly always it is a single option.
  @inline(__always)
  mutating func take(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) {
    let value = UnsafeRawPointer(base + range.lowerBound)
    if range.count == 10 {
      // "keep-ali", "ve", in any case; a byte folded onto the dash is a control byte, and no value has any.
      let head = UInt64(littleEndian: value.loadUnaligned(as: UInt64.self)) | 0x2020_2020_2020_2020
      let tail = UInt16(littleEndian: value.loadUnaligned(fromByteOffset: 8, as: UInt16.self)) | 0x2020
      if head == 0x696C_612D_7065_656B, tail == 0x6576 {
        keepsAlive = true
        return
      }
    }
    takeList(base, range)
  }

  @inline(never)
  private mutating func takeList(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) {
    ListElement.forEach(base, range) { option in
      if option.equals("close") { closes = true }
      if option.equals("keep-alive") { keepsAlive = true }
    }
  }
}
