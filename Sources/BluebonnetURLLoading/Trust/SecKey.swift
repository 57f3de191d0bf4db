import BluebonnetFoundation
import BluebonnetTLS

/// A public key. Immutable; equal if the encodings are.
public final class SecKey: Sendable, Hashable {
  /// The key as the TLS module knows it.
  package let key: PublicKey

  /// Wraps a key.
  package init(_ key: PublicKey) { self.key = key }

  /// Keys are equal if their encodings, algorithm included, are.
  public static func == (left: SecKey, right: SecKey) -> Bool { left.key == right.key }

  /// Hashes the encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
