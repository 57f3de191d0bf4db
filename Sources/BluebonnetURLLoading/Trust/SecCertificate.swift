import BluebonnetFoundation
import BluebonnetTLS

/// An X.509 certificate.
public final class SecCertificate: Sendable, Hashable, CustomStringConvertible {
  package let certificate: Certificate

  package init(_ certificate: Certificate) {
    self.certificate = certificate
  }

  /// A certificate from its DER encoding; `nil` if that is not one.
  public convenience init?(der: Data) {
    guard let certificate = try? Certificate(der: Array(der)) else { return nil }
    self.init(certificate)
  }

  /// All certificates of a text in PEM form; empty if there is none or one of them is broken.
  public static func certificates(pem: Data) -> [SecCertificate] {
    guard let found = try? Certificate.bundle(pem: Array(pem)) else { return [] }
    return found.map(SecCertificate.init)
  }

  /// The DER encoding.
  public var der: Data { Data(certificate.der) }

  /// The public key that the certificate vouches for.
  public var publicKey: SecKey { SecKey(certificate.publicKey) }

  /// The subject's name.
  public var description: String { certificate.description }

  /// Certificates are equal if their encodings are.
  public static func == (left: SecCertificate, right: SecCertificate) -> Bool {
    left.certificate == right.certificate
  }

  /// Feeds the encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

/// A certificate from its DER encoding, under Apple's name; the allocator is there for source compatibility.
public func SecCertificateCreateWithData(_ allocator: Void?, _ data: Data) -> SecCertificate? {
  SecCertificate(der: data)
}

/// The DER encoding, under Apple's name.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data { certificate.der }

/// The public key, under Apple's name.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { certificate.publicKey }
