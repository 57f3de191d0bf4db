// SPDX-License-Identifier: MIT

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
    identity = try Self.identity(commonName, isAuthority: true, algorithm, validity, by: nil)
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
    validity: Validity = .days(90), uses: String? = CertificateDraft.usualUses
  ) throws(TLSError) -> TLSIdentity {
    try Self.identity(
      commonName ?? names.first?.description ?? "leaf", names, algorithm, validity, uses: uses, by: self)
  }

  /// An authority below this one.
  package func issueAuthority(
    commonName: String = "Bluebonnet Test Intermediate", algorithm: PrivateKey.Algorithm = .ellipticP256,
    validity: Validity = .days(3650)
  ) throws(TLSError) -> CertificateAuthority {
    CertificateAuthority(
      identity: try Self.identity(commonName, isAuthority: true, algorithm, validity, by: self))
  }

  /// A server's certificate that only vouches for itself.
  package static func selfSigned(
    commonName: String? = nil, names: [SubjectName], algorithm: PrivateKey.Algorithm = .ellipticP256,
    validity: Validity = .days(90)
  ) throws(TLSError) -> TLSIdentity {
    try identity(
      commonName ?? names.first?.description ?? "self-signed", names, algorithm, validity, by: nil)
  }

  /// A certificate with a new key. One without an authority signs itself.
  private static func identity(
    _ commonName: String, _ names: [SubjectName] = [], isAuthority: Bool = false,
    _ algorithm: PrivateKey.Algorithm, _ validity: Validity, uses: String? = CertificateDraft.usualUses,
    by authority: CertificateAuthority?
  ) throws(TLSError) -> TLSIdentity {
    let key = try PrivateKey(generating: algorithm)
    let draft = CertificateDraft(
      commonName: commonName, names: names, isAuthority: isAuthority, validity: validity, publicKey: key,
      uses: uses)
    let own = try draft.signed(by: authority?.certificate, authority?.privateKey ?? key)
    return try TLSIdentity(chain: [own] + (authority?.intermediates ?? []), privateKey: key)
  }

  /// The certificates that a leaf presents beside itself: this authority's chain, but not a root, which clients have anyway.
  private var intermediates: [Certificate] { identity.chain.filter { !$0.isSelfIssued } }
}
