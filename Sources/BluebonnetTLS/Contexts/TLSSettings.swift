// SPDX-License-Identifier: MIT

/// The TLS settings of a client, beyond versions, identity and trust. Names are OpenSSL's.
package struct TLSSettings: Sendable, Hashable {
  /// Suites for TLS 1.2, in the syntax of ciphers(1ssl); nil for ours.
  package var cipherList: String?
  /// Suites for TLS 1.3, the most wanted first; nil for ours.
  package var cipherSuites: [String]?
  /// The groups for key agreement, the most wanted first; nil for ours.
  package var groups: [String]?
  /// The signature algorithms to accept and use, the most wanted first; nil for OpenSSL's.
  package var signatureAlgorithms: [String]?
  /// Whether sessions of earlier connections are resumed (RFC 8446 §2.2, RFC 5077).
  package var resumes = true
  /// Whether the server may ask for a certificate behind the handshake (RFC 8446 §4.6.2).
  package var answersPostHandshake = false
  /// The file that secrets are written to, for readers of recorded traffic; nil for none.
  package var keyLogPath: String?
  package var options: Options = []

  package init() {}

  /// Bits of `SSL_CTX_set_options`: Swift cannot import the macros.
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// `SSL_OP_LEGACY_SERVER_CONNECT`: servers without RFC 5746 are spoken to.
    package static let legacyServerConnect = Options(rawValue: 1 << 2)
    /// `SSL_OP_TLSEXT_PADDING` (RFC 7685).
    package static let padding = Options(rawValue: 1 << 4)
    /// `SSL_OP_NO_TICKET`: tickets of TLS 1.2 are not asked for.
    static let noTicket = Options(rawValue: 1 << 14)
    /// `SSL_OP_NO_COMPRESSION`: compression beside secrets leaks them (CRIME).
    static let noCompression = Options(rawValue: 1 << 17)
    /// `SSL_OP_NO_ENCRYPT_THEN_MAC` (RFC 7366).
    package static let noEncryptThenMAC = Options(rawValue: 1 << 19)
    /// `SSL_OP_ENABLE_MIDDLEBOX_COMPAT` (RFC 8446 §D.4), which OpenSSL has on.
    package static let middleboxCompatibility = Options(rawValue: 1 << 20)
    /// `SSL_OP_NO_RENEGOTIATION`: of no use to HTTP, and gone in TLS 1.3.
    static let noRenegotiation = Options(rawValue: 1 << 30)
  }

  /// Options that OpenSSL has on, and that are to be off.
  package var disabledOptions: Options = []
}

/// A setting that OpenSSL does not take.
package struct TLSSettingError: Error, Sendable, Hashable {
  package enum Member: String, Sendable, Hashable {
    case cipherList
    case cipherSuites
    case groups
    case signatureAlgorithms
    case keyLogPath
    case applicationProtocols
  }

  package let member: Member
  package let reason: String

  init(_ member: Member, _ reason: String) {
    self.member = member
    self.reason = reason
  }
}
