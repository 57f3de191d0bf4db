// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// SHA-1 (RFC 3174), by which a server shows that it has understood the key. Nothing here is about security: RFC 6455 §10.8.
///
/// OpenSSL's would make a TLS library out of what a value needs, and could refuse: there are systems that forbid SHA-1.
enum SHA1 {
  /// The digest's 20 bytes.
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var state: [5 of UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var bytes = message
    bytes.append(0x80)
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (UInt64(message.count) &* 8).bigEndianBytes
    for block in stride(from: 0, to: bytes.count, by: 64) { mix(bytes[block..<(block + 64)], into: &state) }
    var digest: [UInt8] = []
    for index in state.indices { digest += state[index].bigEndianBytes }
    return digest
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [5 of UInt32]) {
    var words = [UInt32](repeating: 0, count: 80)
    for (offset, byte) in block.enumerated() { words[offset / 4] = words[offset / 4] << 8 | UInt32(byte) }
    for index in 16..<80 {
      words[index] = turn(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (mixed, constant): (UInt32, UInt32) =
        switch index / 20 {
        case 0: ((b & c) | (~b & d), 0x5A82_7999)
        case 1: (b ^ c ^ d, 0x6ED9_EBA1)
        case 2: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = turn(a, 5) &+ mixed &+ e &+ constant &+ word
      (e, d, c, b, a) = (d, c, turn(b, 30), a, next)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
  }

  private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
