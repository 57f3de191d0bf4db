// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// A private key.
///
/// Equal if the public halves are equal, so that no comparison touches the secret.
package final class PrivateKey: Sendable {
  /// The kind of key to generate.
  package enum Algorithm: Sendable, Hashable {
    case ellipticP256
    case rsa(bits: Int)
  }

  // Safe: an EVP_PKEY is reference-counted atomically and never changed once it is in here.
  nonisolated(unsafe) let key: OpaquePointer

  /// Takes over one reference.
  init(owning key: OpaquePointer) {
    self.key = key
  }

  /// A fresh key.
  package convenience init(generating algorithm: Algorithm) throws(TLSError) {
    guard let key = Self.generate(algorithm) else { throw TLSError.queued(.invalidKey) }
    self.init(owning: key)
  }

  deinit {
    EVP_PKEY_free(key)
  }

  package var publicKey: PublicKey { PublicKey(der: derBytes { i2d_PUBKEY(key, $0) } ?? []) }

  private static func generate(_ algorithm: Algorithm) -> OpaquePointer? {
    OpenSSLLibrary.initialize()
    let kind: Int32
    switch algorithm {
    case .ellipticP256: kind = EVP_PKEY_EC
    case .rsa: kind = EVP_PKEY_RSA
    }
    guard let recipe = EVP_PKEY_CTX_new_id(kind, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(recipe) }
    guard EVP_PKEY_keygen_init(recipe) == 1 else { return nil }
    let accepted =
      switch algorithm {
      case .ellipticP256: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(recipe, NID_X9_62_prime256v1)
      case .rsa(let bits): EVP_PKEY_CTX_set_rsa_keygen_bits(recipe, Int32(clamping: bits))
      }
    guard accepted > 0 else { return nil }
    var key: OpaquePointer?
    guard EVP_PKEY_generate(recipe, &key) == 1 else { return nil }
    return key
  }
}

extension PrivateKey: Hashable {
  package static func == (left: PrivateKey, right: PrivateKey) -> Bool {
    left === right || EVP_PKEY_eq(left.key, right.key) == 1
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(publicKey)
  }
}

extension PrivateKey: CustomStringConvertible {
  package var description: String { "PrivateKey" }
}

/// A public key as its SubjectPublicKeyInfo, algorithm included (RFC 5280 §4.1.2.7).
package struct PublicKey: Sendable, Hashable {
  package let der: [UInt8]

  package init(der: [UInt8]) {
    self.der = der
  }
}
