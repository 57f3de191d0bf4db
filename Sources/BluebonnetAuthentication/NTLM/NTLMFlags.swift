// SPDX-License-Identifier: MIT

/// The options that the two sides of NTLM agree on (MS-NLMP §2.2.2.5).
struct NTLMFlags: OptionSet, Sendable {
  let rawValue: UInt32

  /// Names are UTF-16LE.
  static let unicode = Self(rawValue: 0x0000_0001)
  static let oem = Self(rawValue: 0x0000_0002)
  static let requestTarget = Self(rawValue: 0x0000_0004)
  static let ntlm = Self(rawValue: 0x0000_0200)
  static let alwaysSign = Self(rawValue: 0x0000_8000)
  static let extendedSecurity = Self(rawValue: 0x0008_0000)
  static let targetInfo = Self(rawValue: 0x0080_0000)
  static let version = Self(rawValue: 0x0200_0000)
  static let key128 = Self(rawValue: 0x2000_0000)

  /// This side's offer. No key is exchanged: nothing is signed or sealed with one over HTTP.
  static let offered: Self = [
    .unicode, .oem, .requestTarget, .ntlm, .alwaysSign, .extendedSecurity, .targetInfo, .version, .key128,
  ]
}
