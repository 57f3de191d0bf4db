// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// A list of the certificates that an authority has revoked (RFC 5280 §5).
package final class RevocationList: Sendable {
  // Safe: an X509_CRL is reference-counted atomically and never changed once it is in here; OpenSSL locks the order that its
  // first search makes.
  nonisolated(unsafe) let crl: OpaquePointer

  /// Takes over one reference.
  init(owning crl: OpaquePointer) {
    self.crl = crl
  }

  /// A list in DER, as distribution points have it (§4.2.1.13), or the first one of a PEM text.
  package convenience init(_ bytes: [UInt8]) throws(RevocationFault) {
    if let list = Self.parse(der: bytes) {
      self.init(owning: list)
      return
    }
    defer { ERR_clear_error() }
    guard let list = MemoryBIO.reading(bytes, { PEM_read_bio_X509_CRL($0, nil, nil, nil) }) else {
      throw .malformed
    }
    self.init(owning: list)
  }

  /// One list in DER; nil if these bytes are something else, or anything comes after it.
  convenience init?(der: [UInt8]) {
    guard let list = Self.parse(der: der) else { return nil }
    self.init(owning: list)
  }

  private static func parse(der: [UInt8]) -> OpaquePointer? {
    OpenSSLLibrary.initialize()
    defer { ERR_clear_error() }
    return DER.read(der, { d2i_X509_CRL(nil, $0, $1) }, free: X509_CRL_free)
  }

  deinit {
    X509_CRL_free(crl)
  }

  /// Returns the list's statement about a certificate, if it may be believed.
  ///
  /// - Parameters:
  ///   - certificate: The certificate in question.
  ///   - issuer: The one that has signed it. Lists in another authority's name do not count (§5.2.5, indirectCRL).
  ///   - now: In seconds since 1970.
  package func answer(
    about certificate: Certificate, issuer: Certificate, at now: Int64
  ) throws(RevocationFault) -> RevocationAnswer {
    defer { ERR_clear_error() }
    var algorithm: UnsafePointer<X509_ALGOR>?
    X509_CRL_get0_signature(crl, nil, &algorithm)
    if SignatureStrength.isWeak(algorithm) { throw .weakSignature }
    let status: CertificateStatus
    switch try verdict(on: certificate, issuer) {
    case X509_V_OK: status = .good
    case X509_V_ERR_CERT_REVOKED: status = .revoked(revocation(of: certificate))
    case X509_V_ERR_CRL_SIGNATURE_FAILURE, X509_V_ERR_KEYUSAGE_NO_CRL_SIGN: throw .wrongSigner
    case X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_DIFFERENT_CRL_SCOPE,
      X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER:
      throw .otherCertificate
    default: throw .malformed
    }
    let validity = try AnswerValidity(
      from: X509_CRL_get0_lastUpdate(crl), until: X509_CRL_get0_nextUpdate(crl))
    try validity.check(at: now)
    return RevocationAnswer(status, validUntil: validity.nextUpdate)
  }

  /// OpenSSL's verdict on a chain of these two, with this list alone: it knows issuers, scopes (§5.2.5), the issuer's right
  /// to sign lists and critical extensions. Dates are this type's matter, for clocks may differ a little.
  private func verdict(
    on certificate: Certificate, _ issuer: Certificate
  ) throws(RevocationFault) -> Int32 {
    guard let store = X509_STORE_new() else { throw .malformed }
    defer { X509_STORE_free(store) }
    let flags = X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_CRL_CHECK | X509_V_FLAG_NO_CHECK_TIME
    guard X509_STORE_add_cert(store, issuer.x509) == 1, X509_STORE_add_crl(store, crl) == 1,
      X509_STORE_set_flags(store, UInt(flags)) == 1, let context = X509_STORE_CTX_new()
    else { throw .malformed }
    defer { X509_STORE_CTX_free(context) }
    guard X509_STORE_CTX_init(context, store, certificate.x509, nil) == 1 else { throw .malformed }
    let holds = X509_verify_cert(context) == 1
    let code = X509_STORE_CTX_get_error(context)
    return holds || code != X509_V_OK ? code : X509_V_ERR_UNSPECIFIED
  }

  private func revocation(of certificate: Certificate) -> Revocation {
    var entry: OpaquePointer?
    guard X509_CRL_get0_by_cert(crl, &entry, certificate.x509) == 1, let entry else {
      return Revocation(time: nil, reason: nil)
    }
    var reason: Int32?
    if let value = X509_REVOKED_get_ext_d2i(entry, NID_crl_reason, nil, nil) {
      let number = value.assumingMemoryBound(to: ASN1_ENUMERATED.self)
      reason = Int32(truncatingIfNeeded: ASN1_ENUMERATED_get(number))
      ASN1_ENUMERATED_free(number)
    }
    return Revocation(time: ASN1Time.seconds(X509_REVOKED_get0_revocationDate(entry)), reason: reason)
  }
}

/// Files with revocation lists, in PEM, as many as there are in each, or one in DER.
package struct RevocationListFiles: Sendable, Hashable {
  package var paths: [String]
  /// Whether every certificate below the anchor has to be covered by one of the lists that are known.
  package var mustCoverChain: Bool

  package init(paths: [String] = [], mustCoverChain: Bool = false) {
    self.paths = paths
    self.mustCoverChain = mustCoverChain
  }

  var isEmpty: Bool { paths.isEmpty && !mustCoverChain }
}
