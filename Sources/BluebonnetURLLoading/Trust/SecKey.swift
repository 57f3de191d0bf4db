import BluebonnetFoundation

/// A public key.
public final class SecKey: Sendable, Hashable {
  let der: [UInt8]

  init(der: [UInt8]) { self.der = der }

  /// Keys are equal if their encodings are.
  public static func == (left: SecKey, right: SecKey) -> Bool { left.der == right.der }

  /// Feeds the encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
