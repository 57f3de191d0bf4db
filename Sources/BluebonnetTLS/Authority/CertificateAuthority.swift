/// A certificate authority in memory, for tests, demonstrations and private networks.
package struct CertificateAuthority: Sendable, Hashable {
  /// The authority's own certificate: what clients take as their anchor.
  package var certificate: Certificate { identity.certificate }
  package var privateKey: PrivateKey { identity.privateKey }
  /// Certificate, those that lead from it to the root, and key.
  package let identity: TLSIdentity

  /// A new root.
  package init(
    commonName: String = "Bluebonnet Test Authority", algorithm: PrivateKey.Algorithm = .ellipticP256,
    validity: Validity = .days(3650)
  ) throws(TLSError) {
    let key = try PrivateKey(generating: algorithm)
    let draft = CertificateDraft(
      commonName: commonName, names: [], isAuthority: true, validity: validity, publicKey: key)
    identity = try TLSIdentity(chain: [draft.signed(by: nil, key)], privateKey: key)
  }

  /// An authority with a certificate from elsewhere.
  package init(identity: TLSIdentity) {
    self.identity = identity
  }

  /// A certificate for a server or a client, with its key and the intermediates to present.
  ///
  /// - Parameter uses: What it may be used for (RFC 5280 §4.2.1.12), in OpenSSL's names; `nil` for anything.
  package func issue(
    commonName: String? = nil, names: [SubjectName], algorithm: PrivateKey.Algorithm = .ellipticP256,
    validity: Validity = .days(90), uses: String? = "serverAuth,clientAuth"
  ) throws(TLSError) -> TLSIdentity {
    let key = try PrivateKey(generating: algorithm)
    var draft = CertificateDraft(
      commonName: commonName ?? names.first?.description ?? "leaf", names: names, isAuthority: false,
      validity: validity, publicKey: key)
    draft.uses = uses
    let leaf = try draft.signed(by: certificate, privateKey)
    return try TLSIdentity(chain: [leaf] + intermediates, privateKey: key)
  }

  /// An authority below this one.
  package func issueAuthority(
    commonName: String = "Bluebonnet Test Intermediate", algorithm: PrivateKey.Algorithm = .ellipticP256,
    validity: Validity = .days(3650)
  ) throws(TLSError) -> CertificateAuthority {
    let key = try PrivateKey(generating: algorithm)
    let draft = CertificateDraft(
      commonName: commonName, names: [], isAuthority: true, validity: validity, publicKey: key)
    let own = try draft.signed(by: certificate, privateKey)
    return CertificateAuthority(
      identity: try TLSIdentity(chain: [own] + intermediates, privateKey: key))
  }

  /// A server's certificate that only vouches for itself.
  package static func selfSigned(
    commonName: String? = nil, names: [SubjectName], algorithm: PrivateKey.Algorithm = .ellipticP256,
    validity: Validity = .days(90)
  ) throws(TLSError) -> TLSIdentity {
    let key = try PrivateKey(generating: algorithm)
    let draft = CertificateDraft(
      commonName: commonName ?? names.first?.description ?? "self-signed", names: names, isAuthority: false,
      validity: validity, publicKey: key)
    return try TLSIdentity(chain: [draft.signed(by: nil, key)], privateKey: key)
  }

  /// The certificates that a leaf presents beside itself: this authority's chain, but not a root, which clients have anyway.
  private var intermediates: [Certificate] { identity.chain.filter { !$0.isSelfIssued } }
}
