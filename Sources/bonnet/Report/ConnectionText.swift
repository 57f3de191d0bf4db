// SPDX-License-Identifier: MIT
import Bluebonnet

/// The line of `-v` about the TLS of a connection.
enum ConnectionText {
  /// The version of TLS and the cipher suite; nil without TLS.
  static func secured(_ connection: URLSessionConnection) -> String? {
    guard let version = connection.negotiatedTLSProtocolVersion else { return nil }
    let cipher = connection.negotiatedTLSCipherSuite.map { Self.name(of: $0) } ?? "?"
    return "SSL connection using \(name(of: version)) / \(cipher)"
  }

  private static func name(of version: tls_protocol_version_t) -> String {
    switch version {
    case .TLSv12: "TLSv1.2"
    case .TLSv13: "TLSv1.3"
    default: "TLS"
    }
  }

  /// The names of IANA's registry for versions in use today; others by their number.
  private static func name(of cipher: tls_ciphersuite_t) -> String {
    switch cipher.rawValue {
    case 0x1301: "TLS_AES_128_GCM_SHA256"
    case 0x1302: "TLS_AES_256_GCM_SHA384"
    case 0x1303: "TLS_CHACHA20_POLY1305_SHA256"
    case 0xC02B: "ECDHE-ECDSA-AES128-GCM-SHA256"
    case 0xC02C: "ECDHE-ECDSA-AES256-GCM-SHA384"
    case 0xC02F: "ECDHE-RSA-AES128-GCM-SHA256"
    case 0xC030: "ECDHE-RSA-AES256-GCM-SHA384"
    case 0xCCA8: "ECDHE-RSA-CHACHA20-POLY1305"
    case 0xCCA9: "ECDHE-ECDSA-CHACHA20-POLY1305"
    default: "0x" + Decimals.padded(Int(cipher.rawValue), to: 4, radix: 16)
    }
  }
}
