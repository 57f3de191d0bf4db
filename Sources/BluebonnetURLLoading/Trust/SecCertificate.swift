import BluebonnetFoundation

/// An X.509 certificate.
public final class SecCertificate: Sendable, Hashable {
  let der: [UInt8]

  init(der: [UInt8]) { self.der = der }

  /// Certificates are equal if their encodings are.
  public static func == (left: SecCertificate, right: SecCertificate) -> Bool { left.der == right.der }

  /// Feeds the encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
