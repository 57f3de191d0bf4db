// SPDX-License-Identifier: MIT

/// FNV-1a with 64 bits: against damage, not against forgery. The bytes read are checked as if they came from an attacker.
package enum Checksum {
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
