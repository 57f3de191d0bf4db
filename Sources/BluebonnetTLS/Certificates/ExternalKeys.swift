// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

// Keys as other programs exchange them, without their algorithm: PKCS #1 for RSA (RFC 8017), X9.63 for elliptic curves.
// Others have no such form.

extension PublicKey {
  /// `RSAPublicKey` in DER, or an uncompressed point; `nil` for other kinds of keys.
  package var externalRepresentation: [UInt8]? {
    let parsed = DER.readFirst(in: der) { d2i_PUBKEY(nil, $0, $1) }
    defer { ERR_clear_error() }
    guard let parsed else { return nil }
    defer { EVP_PKEY_free(parsed) }
    switch EVP_PKEY_get_base_id(parsed) {
    case EVP_PKEY_RSA: return derBytes { i2d_PublicKey(parsed, $0) }
    case EVP_PKEY_EC: return Self.uncompressedPoint(of: parsed)
    default: return nil
    }
  }

  /// - Parameter key: Not shared: it is changed.
  private static func uncompressedPoint(of key: OpaquePointer) -> [UInt8]? {
    var point: UnsafeMutablePointer<UInt8>?
    guard
      EVP_PKEY_set_utf8_string_param(key, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, "uncompressed") == 1
    else { return nil }
    let count = EVP_PKEY_get1_encoded_public_key(key, &point)
    defer { CRYPTO_free(point, #file, #line) }
    guard count > 0 else { return nil }
    return Array(UnsafeBufferPointer(start: point, count: count))
  }
}

extension PrivateKey {
  /// `RSAPrivateKey` in DER, or an uncompressed point and behind it the secret number; `nil` for other kinds of keys, and for
  /// those that cannot be exported.
  package var externalRepresentation: [UInt8]? {
    defer { ERR_clear_error() }
    switch EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA: return derBytes { i2d_PrivateKey(key, $0) }
    case EVP_PKEY_EC:
      guard let point = publicKey.externalRepresentation, let secret else { return nil }
      return point + secret
    default: return nil
    }
  }

  /// An elliptic key's number, as long as the curve's.
  private var secret: [UInt8]? {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 else { return nil }
    defer { BN_clear_free(number) }
    let count = (EVP_PKEY_get_bits(key) + 7) / 8
    var bytes = [UInt8](repeating: 0, count: Int(max(count, 0)))
    return BN_bn2binpad(number, &bytes, count) == count ? bytes : nil
  }
}
