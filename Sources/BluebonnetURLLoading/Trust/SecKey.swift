import BluebonnetFoundation
import BluebonnetTLS

/// A public key, or the private one of a ``SecIdentity``. Immutable; equal if the encodings are.
public final class SecKey: Sendable, Hashable {
  package enum Half: Sendable, Hashable {
    case publicKey(PublicKey)
    case privateKey(PrivateKey)
  }

  /// The key as the TLS module knows it.
  package let half: Half

  /// Wraps a public key.
  package init(_ key: PublicKey) { half = .publicKey(key) }

  /// Wraps a private key.
  package init(_ key: PrivateKey) { half = .privateKey(key) }

  /// Public keys are equal if their encodings, algorithm included, are; private keys if their public ones are. A
  /// private key equals no public one.
  public static func == (left: SecKey, right: SecKey) -> Bool { left.half == right.half }

  /// Hashes the encoding of the public key.
  public func hash(into hasher: inout Hasher) { hasher.combine(half) }
}

/// The public key of a key pair; a public key is its own.
@discardableResult
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
  switch key.half {
  case .publicKey: key
  case .privateKey(let key): SecKey(key.publicKey)
  }
}
