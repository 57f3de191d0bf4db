// SPDX-License-Identifier: MIT
import BluebonnetTLS

/// A kind of key that a server takes from clients that prove themselves. An addition of this package.
public enum ClientKeyType: String, Sendable, Hashable, CaseIterable {
  /// RSA, with either padding.
  case rsa
  /// A key on one of the curves of NIST or Brainpool (ECDSA).
  case ellipticCurve
  /// Ed25519 (RFC 8032).
  case ed25519
  /// Ed448 (RFC 8032).
  case ed448

  init(_ type: CertificateRequest.KeyType) {
    self =
      switch type {
      case .rsa: .rsa
      case .ellipticCurve: .ellipticCurve
      case .ed25519: .ed25519
      case .ed448: .ed448
      }
  }
}
