// SPDX-License-Identifier: MIT

/// Names and numbers of GSSAPI (RFC 2743, RFC 2744, RFC 4178).
enum GSSObject {
  /// 1.3.6.1.5.5.2: SPNEGO.
  static let spnego: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x02]
  /// 1.2.840.113554.1.2.1.4: a service by the host that it runs on.
  static let hostBasedService: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x12, 0x01, 0x02, 0x01, 0x04]

  /// The server authenticates itself, too. Credentials are not delegated.
  static let mutual: UInt32 = 2
  /// Errors of the calling and of the routine, in a status.
  static let errors: UInt32 = 0xFFFF_0000
  static let continueNeeded: UInt32 = 1
  static let majorKind: Int32 = 1
  static let minorKind: Int32 = 2
}
