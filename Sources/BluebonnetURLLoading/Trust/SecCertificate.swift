// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
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

// What Apple's platforms tell by SecCertificateCopyValues. Additions of this package.
extension SecCertificate {
  /// The subject of the certificate, as one line: `CN=example.org, O=Example`, from the most specific name on (RFC 4514 in the
  /// order of the encoding).
  public var subject: String { certificate.subject }

  /// The issuer, in the same form.
  public var issuer: String { certificate.issuer }

  /// The beginning of its validity.
  public var notBefore: Date { Date(timeIntervalSince1970: TimeInterval(certificate.notBefore)) }

  /// The end of its validity.
  public var notAfter: Date { Date(timeIntervalSince1970: TimeInterval(certificate.notAfter)) }

  /// The host names and IP addresses that it is valid for (`subjectAltName`, RFC 5280 §4.2.1.6), in the order of the certificate. A name
  /// may begin with `*.`; an address is without brackets.
  public var subjectAlternativeNames: [String] { certificate.alternativeNames.map(\.description) }

  /// The one of ``subjectAlternativeNames`` that stands for a host; nil if none does. A wildcard stands for one whole label, and the
  /// common name does not count (RFC 9525 §6.3). Whether the certificate is trusted is another question: ``SecTrustEvaluateWithError(_:_:)``.
  ///
  /// - Parameter host: A name or an address, as a URL has it.
  public func subjectAlternativeName(matching host: String) -> String? {
    certificate.alternativeName(matching: host)?.description
  }

  /// The public key with its kind, in DER (`SubjectPublicKeyInfo`, RFC 5280 §4.1): what pins are made of.
  public var subjectPublicKeyInfo: Data { Data(certificate.publicKey.der) }

  /// Its SHA-256; nil where a policy of the system forbids the function.
  public var subjectPublicKeyInfoSHA256: Data? {
    HashFunction.sha256.digest(certificate.publicKey.der).map { Data($0) }
  }
}
