// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// A server's request for a client's certificate (RFC 8446 §4.3.2, RFC 5246 §7.4.4).
package struct CertificateRequest: Sendable, Hashable {
  /// A kind of key.
  package enum KeyType: Sendable, Hashable, CaseIterable {
    case rsa
    case ellipticCurve
    case ed25519
    case ed448
  }

  /// The names of the authorities that it knows, in DER; empty for any.
  package let authorities: [[UInt8]]
  /// The keys that it can verify signatures of, the most wanted first.
  package let keyTypes: [KeyType]

  /// The request of a connection's peer.
  init(from ssl: OpaquePointer) {
    authorities = Self.authorities(of: ssl)
    keyTypes = Self.keyTypes(of: ssl)
  }

  private static func authorities(of ssl: OpaquePointer) -> [[UInt8]] {
    OpenSSLStack.members(of: SSL_get0_peer_CA_list(ssl)).compactMap { name in
      var start: UnsafePointer<UInt8>?
      var count = 0
      guard X509_NAME_get0_der(OpaquePointer(name), &start, &count) == 1, let start else { return nil }
      return Array(UnsafeBufferPointer(start: start, count: count))
    }
  }

  private static func keyTypes(of ssl: OpaquePointer) -> [KeyType] {
    var found: [KeyType] = []
    for index in 0..<SSL_get_sigalgs(ssl, 0, nil, nil, nil, nil, nil) {
      var signature = NID_undef
      _ = SSL_get_sigalgs(ssl, index, &signature, nil, nil, nil, nil)
      guard let type = KeyType(signature: signature), !found.contains(type) else { continue }
      found.append(type)
    }
    guard SSL_version(ssl) == TLS1_2_VERSION else { return found }
    // There it names kinds of certificates, too.
    var start: UnsafePointer<UInt8>?
    let count = SSL_ctrl(ssl, SSL_CTRL_GET_CLIENT_CERT_TYPES, 0, &start)
    let named = UnsafeBufferPointer(start: start, count: count)
    return found.filter { named.contains(UInt8($0 == .rsa ? TLS_CT_RSA_SIGN : TLS_CT_ECDSA_SIGN)) }
  }
}

extension CertificateRequest.KeyType {
  /// - Parameter signature: OpenSSL's number of a kind of signature.
  fileprivate init?(signature: Int32) {
    switch signature {
    case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: self = .rsa
    case EVP_PKEY_EC: self = .ellipticCurve
    case EVP_PKEY_ED25519: self = .ed25519
    case EVP_PKEY_ED448: self = .ed448
    default: return nil
    }
  }
}
