import BluebonnetFoundation
import BluebonnetTLS

/// A public key.
public final class SecKey: Sendable, Hashable {
  package let key: PublicKey

  package init(_ key: PublicKey) {
    self.key = key
  }

  /// A key from the DER encoding of its SubjectPublicKeyInfo (RFC 5280 §4.1).
  public convenience init(subjectPublicKeyInfo der: Data) {
    self.init(PublicKey(der: Array(der)))
  }

  /// The DER encoding of the SubjectPublicKeyInfo.
  public var subjectPublicKeyInfo: Data { Data(key.der) }

  /// Keys are equal if their encodings are.
  public static func == (left: SecKey, right: SecKey) -> Bool { left.key == right.key }

  /// Feeds the encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
