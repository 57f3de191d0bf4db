// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// A certificate and the private key that belongs to it: the identity of a client.
public final class SecIdentity: Sendable, Hashable {
  /// The identity as the TLS module knows it, with the certificates that came with it.
  package let identity: TLSIdentity

  /// Wraps an identity.
  package init(_ identity: TLSIdentity) { self.identity = identity }

  /// Identities are equal if their certificates and keys are.
  public static func == (left: SecIdentity, right: SecIdentity) -> Bool { left.identity == right.identity }

  /// Hashes the certificates and the public key.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// An identity of a certificate and its private key; `nil` if the key is another certificate's, or a public one.
@discardableResult
public func SecIdentityCreate(
  _ allocator: Void?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
  guard case .privateKey(let key) = privateKey.half,
    let identity = try? TLSIdentity(chain: [certificate.certificate], privateKey: key)
  else { return nil }
  return SecIdentity(identity)
}

/// The certificate of an identity.
///
/// - Parameters:
///   - identity: The identity.
///   - certificate: Set to the certificate.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
  _ identity: SecIdentity, _ certificate: inout SecCertificate?
) -> OSStatus {
  certificate = SecCertificate(identity.identity.certificate)
  return errSecSuccess
}

/// The private key of an identity.
///
/// - Parameters:
///   - identity: The identity.
///   - privateKey: Set to the key.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyPrivateKey(_ identity: SecIdentity, _ privateKey: inout SecKey?) -> OSStatus {
  privateKey = SecKey(identity.identity.privateKey)
  return errSecSuccess
}
