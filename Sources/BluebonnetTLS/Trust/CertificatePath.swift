// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// Finds the path up from a certificate, from each to one that has signed it, in whatever order they were sent.
///
/// Where several have signed (RFC 4158 §2: cross-signed authorities), an anchor goes first, and ends it; then one that is valid
/// now, then the one that was sent first.
struct CertificatePath {
  private let presented: [Certificate]
  private let anchors: [TrustStore]

  /// - Parameters:
  ///   - presented: What the server sent.
  ///   - anchors: Where trusted certificates are looked up.
  init(presented: [Certificate], anchors: [TrustStore]) {
    self.presented = presented
    self.anchors = anchors
  }

  /// No chain in use is longer; OpenSSL would go to 100.
  private static let lengthLimit = 20
  /// So many signatures are looked at, for a server may send hundreds of certificates with the same name.
  private static let signatureLimit = 64

  func from(_ leaf: Certificate) -> [Certificate] {
    defer { ERR_clear_error() }
    var path = [leaf]
    var left = Self.signatureLimit
    while path.count < Self.lengthLimit, let last = path.last, !last.isSelfSigned {
      let known = anchors.flatMap { $0.authorities(issuing: last) }
      if let anchor = issuer(of: last, among: known, notIn: path, &left) { return path + [anchor] }
      let sent = presented.filter(\.isCurrent) + presented.filter { !$0.isCurrent }
      guard let issuer = issuer(of: last, among: sent, notIn: path, &left) else { break }
      path.append(issuer)
    }
    return path
  }

  private func issuer(
    of certificate: Certificate, among candidates: [Certificate], notIn path: [Certificate],
    _ signaturesLeft: inout Int
  ) -> Certificate? {
    for candidate in candidates where candidate.mayHaveIssued(certificate) && !path.contains(candidate) {
      guard signaturesLeft > 0 else { return nil }
      signaturesLeft -= 1
      if candidate.hasSigned(certificate) { return candidate }
    }
    return nil
  }
}

extension TrustStore {
  /// The anchors that have the name of the certificate's issuer.
  fileprivate func authorities(issuing certificate: Certificate) -> [Certificate] {
    guard let context = X509_STORE_CTX_new() else { return [] }
    defer { X509_STORE_CTX_free(context) }
    guard X509_STORE_CTX_init(context, pointer, certificate.x509, nil) == 1 else { return [] }
    AnchorIndex.load(X509_get_issuer_name(certificate.x509), in: context)
    let named = X509_STORE_CTX_get1_certs(context, X509_get_issuer_name(certificate.x509))
    return CertificateStack(owning: named).certificates
  }
}

extension Certificate {
  /// Whether its own key has signed it.
  fileprivate var isSelfSigned: Bool { X509_self_signed(x509, 1) == 1 }

  /// Whether today is in its validity.
  fileprivate var isCurrent: Bool {
    X509_cmp_current_time(X509_get0_notBefore(x509)) < 0
      && X509_cmp_current_time(X509_get0_notAfter(x509)) > 0
  }

  /// Whether names, key identifiers and key usage allow that this is the issuer of `certificate`, and it is an
  /// authority: the owner of any certificate could sign with its key (RFC 5280 §4.2.1.9).
  fileprivate func mayHaveIssued(_ certificate: Certificate) -> Bool {
    // 1 says so itself; 3 is a self-signed one from before there was a way to say so.
    let kind = X509_check_ca(x509)
    return (kind == 1 || kind == 3) && X509_check_issued(x509, certificate.x509) == X509_V_OK
  }

  fileprivate func hasSigned(_ certificate: Certificate) -> Bool {
    guard let key = X509_get0_pubkey(x509) else { return false }
    return X509_verify(certificate.x509, key) == 1
  }
}
