// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS

/// An X.509 certificate. Immutable; equal if the encodings are.
public final class SecCertificate: Sendable, Hashable {
  /// The certificate as the TLS module knows it.
  package let certificate: Certificate

  /// Wraps a certificate.
  package init(_ certificate: Certificate) { self.certificate = certificate }

  /// Reads the first certificate of a text in PEM form; `nil` if there is none.
  public convenience init?(pem: String) {
    guard let certificate = try? Certificate(pem: pem) else { return nil }
    self.init(certificate)
  }

  /// Certificates are equal if their encodings are.
  public static func == (left: SecCertificate, right: SecCertificate) -> Bool {
    left === right || left.certificate.der == right.certificate.der
  }

  /// Hashes the DER encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(certificate.der) }
}

/// Reads a certificate in DER; `nil` if it is none.
@discardableResult
public func SecCertificateCreateWithData(_ allocator: Void?, _ data: Data) -> SecCertificate? {
  guard let certificate = try? Certificate(der: [UInt8](data)) else { return nil }
  return SecCertificate(certificate)
}

/// The encoding of a certificate in DER.
@discardableResult
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data {
  Data(certificate.certificate.der)
}

/// The public key that a certificate certifies; `nil` if it is of a kind that cannot be read.
@discardableResult
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  SecKey(certificate.certificate.publicKey)
}

/// A name for people: the subject's common name, or else the first alternative name, the subject, or a mail address; `nil` for a
/// certificate with none of these.
@discardableResult
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> String? {
  certificate.certificate.subjectSummary
}
