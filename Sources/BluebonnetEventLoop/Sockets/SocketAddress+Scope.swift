// SPDX-License-Identifier: MIT
extension SocketAddress {
  /// Whether the address is one of the Internet's: not this machine, a private network, a link, a group, or reserved (RFC
  /// 6890's tables; RFC 4193, RFC 6598). An address that carries an IPv4 address is what that one is.
  package var isGlobal: Bool {
    switch storage {
    case .ipv4(let address, _): !Self.isSpecial(address)
    case .ipv6(let high, let low, _, _): Self.isGlobal(high, low)
    case .unix: false
    }
  }

  private static func isSpecial(_ address: UInt32) -> Bool {
    specialNetworks.contains { network, length in address >> (32 - length) == network >> (32 - length) }
  }

  /// With the lengths of their prefixes.
  private static let specialNetworks: [(network: UInt32, length: UInt32)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
    (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
    (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
  ]

  private static func isGlobal(_ high: UInt64, _ low: UInt64) -> Bool {
    let carried = UInt32(truncatingIfNeeded: low)
    // IPv4-mapped, and translated by the well-known prefix (RFC 6052).
    if high == 0, low >> 32 == 0xFFFF { return !isSpecial(carried) }
    if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return !isSpecial(carried) }
    // 6to4 (RFC 3056).
    if high >> 48 == 0x2002 { return !isSpecial(UInt32(truncatingIfNeeded: high >> 16)) }
    // Documentation and Teredo, inside the global unicast space 2000::/3.
    if high >> 32 == 0x2001_0DB8 || high >> 32 == 0x2001_0000 { return false }
    return high >> 61 == 1
  }
}
