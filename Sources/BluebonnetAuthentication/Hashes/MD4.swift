// SPDX-License-Identifier: MIT

/// MD4 (RFC 1320), which NTLM makes its keys with. OpenSSL 3 has it in the legacy provider only, which many systems do not
/// load. It is no protection for anything else.
package enum MD4 {
  package static func digest(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    let padded = padding(message)
    var words = [UInt32](repeating: 0, count: 16)
    for block in stride(from: 0, to: padded.count, by: 64) {
      for index in 0..<16 {
        let at = block + index * 4
        words[index] =
          UInt32(padded[at]) | UInt32(padded[at + 1]) << 8 | UInt32(padded[at + 2]) << 16
          | UInt32(padded[at + 3]) << 24
      }
      mix(words, into: &state)
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }

  /// §3.1 and §3.2: a one bit, zeros, and the length in bits.
  private static func padding(_ message: [UInt8]) -> [UInt8] {
    var padded = message
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) &* 8
    for shift in 0..<8 { padded.append(UInt8(truncatingIfNeeded: bits >> (shift * 8))) }
    return padded
  }

  /// §3.4: three rounds of sixteen steps.
  private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<48 {
      let round = step / 16
      let mixed: UInt32 =
        switch round {
        case 0: (b & c) | (~b & d)
        case 1: (b & c) | (b & d) | (c & d)
        default: b ^ c ^ d
        }
      let sum = a &+ mixed &+ words[order[round][step % 16]] &+ constants[round]
      let turn = UInt32(turns[round][step % 4])
      (a, d, c, b) = (d, c, b, sum << turn | sum >> (32 - turn))
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }

  private static let constants: [UInt32] = [0, 0x5A82_7999, 0x6ED9_EBA1]
  private static let turns = [[3, 7, 11, 19], [3, 5, 9, 13], [3, 9, 11, 15]]
  private static let order = [
    Array(0..<16), [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
  ]
}
