// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionConfiguration {
  /// The authorities trusted to vouch for servers.
  public enum TrustAnchors: Sendable, Hashable {
    /// The operating system's (`/etc/ssl/certs`, or what `SSL_CERT_DIR` and `SSL_CERT_FILE` say). Revocation lists among them are
    /// used; a damaged one, or a bundle that is damaged anywhere, fails every https request.
    case system
    /// A file with one or more certificates in PEM form, or one in DER. Revocation lists (X.509 CRLs) among them are used: what
    /// they revoke is refused, and so is what a list is about that is out of date or not signed by the issuer.
    /// Certificates of issuers without a list are not affected.
    case file(path: String)
    /// A directory with such files. If there are names like `4042bcee.0` in it, as `openssl rehash` makes them, only these
    /// count, and each is read when a chain asks for it; otherwise all that end in `.pem`, `.crt`, `.cer` or `.crl`, of which each
    /// has to be in PEM, or hold a certificate or a list in DER.
    case directory(path: String)
    /// Exactly these certificates, of authorities or of servers themselves, and none of the system's.
    case certificates([SecCertificate])
    /// Each of these is enough: `.several([.system, .file(path: "authority.pem")])` trusts one's own authority beside the
    /// system's. Each keeps its own rules, but what one of their revocation lists revokes is refused by all.
    case several([TrustAnchors])
  }

  /// The settings of TLS beyond its versions (`tlsMinimumSupportedProtocolVersion`, `tlsMaximumSupportedProtocolVersion`), with
  /// origins and with HTTPS proxies.
  ///
  /// Names are OpenSSL's. A setting that the system's OpenSSL does not know, or can make no connection with, is refused: all https
  /// request of such a session, and with a proxy every http request, too, fails with a ``RefusedSetting`` before a connection is made.
  ///
  /// Not to be changed are: no compression (`SSL_OP_NO_COMPRESSION`), no renegotiation (`SSL_OP_NO_RENEGOTIATION`), a security
  /// level of 2 or what the system asks for above that, and no buffers for idle connections (`SSL_MODE_RELEASE_BUFFERS`). The
  /// server's name is indicated (RFC 6066 §3) unless it is an address. Encrypted ClientHello cannot be had:
  /// OpenSSL 3.0 does not know it, so the name can be read on the way.
  public struct TLSSettings: Sendable, Hashable {
    /// Bits of `SSL_CTX_set_options` that a client may want.
    public struct Options: OptionSet, Sendable, Hashable {
      /// A bit for each option.
      public let rawValue: Int

      /// Makes a set of bits, of which those of the options below have a meaning.
      public init(rawValue: Int) { self.rawValue = rawValue }

      /// Speaks with servers that do not know secure renegotiation (RFC 5746). They may be tricked into taking a request as the
      /// rest of another client's: `SSL_OP_LEGACY_SERVER_CONNECT`.
      public static let legacyServerConnect = Options(rawValue: 1)
      /// Pads the first message where some middle boxes would stumble (RFC 7685): `SSL_OP_TLSEXT_PADDING`.
      public static let padding = Options(rawValue: 2)
      /// TLS 1.2 without encrypt-then-MAC (RFC 7366), for servers that have it wrong: `SSL_OP_NO_ENCRYPT_THEN_MAC`.
      public static let noEncryptThenMAC = Options(rawValue: 4)
      /// TLS 1.3 without what makes it look like TLS 1.2 (RFC 8446 §D.4): no `SSL_OP_ENABLE_MIDDLEBOX_COMPAT`.
      public static let noMiddleboxCompatibility = Options(rawValue: 8)
    }

    /// Suites for TLS 1.2 in the syntax of ciphers(1ssl), such as `ECDHE+AESGCM:!AES256`; `nil`, the default, for ours: forward
    /// secrecy with authenticated encryption first. A list that lowers the security level below 2 is refused.
    public var cipherList: String?
    /// Suites for TLS 1.3, the most wanted first, such as `TLS_AES_128_GCM_SHA256`; `nil`, the default, for ours.
    public var cipherSuites: [String]?
    /// Groups that keys are agreed on in, the most wanted first, such as `X25519`, and hybrids with ML-KEM where OpenSSL has
    /// them (3.5: `X25519MLKEM768`); `nil`, the default, for ours.
    public var groups: [String]?
    /// Algorithms of signatures, the most wanted first, such as `ecdsa_secp256r1_sha256` or `RSA-PSS+SHA256`; `nil`, the default,
    /// for OpenSSL's.
    public var signatureAlgorithms: [String]?
    /// Whether later connections resume what earlier ones have agreed on. On by default: up to 256 servers, eight sessions
    /// of each, in 8 MiB of memory in all. Off, no ticket is asked for and none is kept.
    public var resumesSessions = true
    /// The protocols to offer by ALPN (RFC 7301), the most wanted first; `http/1.1` by default, empty for no offer. Unsupported
    /// ones, such as `h2`, are refused.
    public var applicationProtocols = ["http/1.1"]
    /// Whether a server of TLS 1.3 may ask for a certificate in the middle of a connection (RFC 8446 §4.6.2). Off by default. The
    /// answer is the request's own credential, or else one of ``URLSessionConfiguration/Settings/clientCredentials``: no delegate is
    /// asked then.
    public var answersPostHandshakeRequests = false
    /// A file that the secrets of connections are appended to (RFC 9850), for Wireshark and others; `nil`, the default, for
    /// none. A reader of the file can read the traffic. It is made for its owner alone. No variable of the environment
    /// has this effect.
    public var keyLogFile: String?
    /// Options of OpenSSL's; none by default.
    public var options: Options = []

    /// Settings as they are by default.
    public init() {}
  }
}

/// The version of TLS, as the code points of the protocol.
public enum tls_protocol_version_t: UInt16, Sendable, Comparable {
  /// TLS 1.0. Retired by RFC 8996 and not spoken here.
  case TLSv10 = 0x0301
  /// TLS 1.1. Retired by RFC 8996 and not spoken here.
  case TLSv11 = 0x0302
  /// TLS 1.2 (RFC 5246).
  case TLSv12 = 0x0303
  /// TLS 1.3 (RFC 8446).
  case TLSv13 = 0x0304
  /// DTLS 1.0, for datagrams: refused.
  case DTLSv10 = 0xFEFF
  /// DTLS 1.2, for datagrams: refused.
  case DTLSv12 = 0xFEFD

  /// Orders the versions of TLS from older to newer.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
