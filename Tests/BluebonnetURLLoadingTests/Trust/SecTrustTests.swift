// SPDX-License-Identifier: MIT
import BluebonnetTLS
import BluebonnetTestAuthority
import BluebonnetURLLoading
import Testing

@Suite struct SecTrustTests {
  private let authority: CertificateAuthority
  private let leaf: TLSIdentity
  private let expired: TLSIdentity

  init() throws {
    authority = try CertificateAuthority()
    leaf = try authority.issue(names: [.dns("host.test")])
    expired = try authority.issue(names: [.dns("host.test")], validity: .expired)
  }

  private var anchor: SecCertificate { SecCertificate(authority.certificate) }

  private func trust(_ identity: TLSIdentity, host: String? = "host.test") throws -> SecTrust {
    var trust: SecTrust?
    let chain = identity.chain.map(SecCertificate.init)
    #expect(SecTrustCreateWithCertificates(chain, SecPolicyCreateSSL(true, host), &trust) == errSecSuccess)
    return try #require(trust)
  }

  private func status(_ trust: SecTrust) -> OSStatus {
    var error: (any Error)?
    let isGood = SecTrustEvaluateWithError(trust, &error)
    #expect(isGood == (error == nil))
    return (error as? SecTrustError)?.status ?? errSecSuccess
  }

  @Test func certificatesTellWhatTheySay() throws {
    let certificate = SecCertificate(leaf.certificate)
    #expect(certificate.subject == leaf.certificate.subject)
    #expect(certificate.issuer == authority.certificate.subject)
    #expect(certificate.notBefore < Date() && certificate.notAfter > Date())
    #expect(SecCertificate(expired.certificate).notAfter < Date())
    #expect(certificate.subjectAlternativeNames == leaf.certificate.alternativeNames.map(\.description))
    let name = try #require(certificate.subjectAlternativeNames.first)
    #expect(certificate.subjectAlternativeName(matching: name.uppercased()) == name)
    #expect(certificate.subjectAlternativeName(matching: "other.\(name)") == nil)
    let key = certificate.subjectPublicKeyInfo
    // SEQUENCE { AlgorithmIdentifier, BIT STRING }.
    #expect(key.first == 0x30)
    let whole = SecCertificateCopyData(certificate)
    #expect(whole.indices.contains { whole[$0...].starts(with: key) })
    #expect(certificate.subjectPublicKeyInfoSHA256?.count == 32)
    #expect(
      certificate.subjectPublicKeyInfoSHA256
        != SecCertificate(authority.certificate).subjectPublicKeyInfoSHA256)
  }

  @Test func theSystemDoesNotKnowTheAuthority() throws {
    #expect(status(try trust(leaf)) == errSecNotTrusted)
  }

  @Test func anAnchorMakesTheChainGood() throws {
    let trust = try trust(leaf)
    #expect(SecTrustSetAnchorCertificates(trust, [anchor]) == errSecSuccess)
    #expect(status(trust) == errSecSuccess)
    SecTrustSetAnchorCertificatesOnly(trust, false)
    #expect(status(trust) == errSecSuccess)
    SecTrustSetAnchorCertificates(trust, [])
    #expect(status(trust) == errSecNotTrusted)
  }

  @Test func thePolicyDecidesAboutTheName() throws {
    let trust = try trust(leaf, host: "other.test")
    SecTrustSetAnchorCertificates(trust, [anchor])
    #expect(status(trust) == errSecHostNameMismatch)
    SecTrustSetPolicies(trust, SecPolicyCreateBasicX509())
    #expect(status(trust) == errSecSuccess)
    SecTrustSetPolicies(trust, [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, "host.test")])
    #expect(status(trust) == errSecSuccess)
  }

  @Test func anExpiredCertificateIsRefused() throws {
    let trust = try trust(expired)
    SecTrustSetAnchorCertificates(trust, [anchor])
    #expect(status(trust) == errSecCertificateExpired)
  }

  @Test func revocationIsNeverTakenForGranted() throws {
    let trust = try trust(leaf)
    SecTrustSetAnchorCertificates(trust, [anchor])
    SecTrustSetPolicies(
      trust, try #require(SecPolicyCreateRevocation(1 | kSecRevocationRequirePositiveResponse)))
    #expect(status(trust) == errSecIncompleteCertRevocationCheck)
  }

  @Test func theChainAndItsKeysAreShown() throws {
    let trust = try trust(leaf)
    let own = try #require(SecTrustGetCertificateAtIndex(trust, 0))
    #expect(SecTrustGetCertificateCount(trust) == SecTrustCopyCertificateChain(trust)?.count)
    #expect(SecTrustGetCertificateAtIndex(trust, 99) == nil)
    #expect(SecTrustCopyKey(trust) == SecCertificateCopyKey(own))
    #expect(SecCertificateCreateWithData(nil, SecCertificateCopyData(own)) == own)
    #expect(SecCertificateCreateWithData(nil, Data([1, 2, 3])) == nil)
    #expect(own != anchor)
    #expect(SecCertificate(pem: authority.certificate.pem) == anchor)
    var none: SecTrust?
    #expect(SecTrustCreateWithCertificates([], nil, &none) == errSecParam)
  }

  @Test func whatChangesTheRulesTakesTheResultBack() throws {
    let trust = try trust(leaf)
    let (own, whole) = ([SecCertificate(leaf.certificate)], [SecCertificate(leaf.certificate), anchor])
    func shown() -> [SecCertificate]? { SecTrustCopyCertificateChain(trust) }
    #expect(shown() == own)
    SecTrustSetAnchorCertificates(trust, [anchor])
    #expect(status(trust) == errSecSuccess)
    #expect(shown() == whole)
    #expect(SecTrustGetCertificateCount(trust) == 2)
    #expect(SecTrustGetCertificateAtIndex(trust, 1) == anchor)
    // Other anchors.
    SecTrustSetAnchorCertificates(trust, [])
    #expect(shown() == own)
    #expect(SecTrustGetCertificateCount(trust) == 1)
    #expect(status(trust) == errSecNotTrusted)
    #expect(shown() == own)
  }

  @Test func aLaterFailureTakesAnEarlierResultBack() throws {
    // Sends the root along, but for whoever asks for another host.
    var chain = leaf.chain
    chain.append(authority.certificate)
    chain.append(expired.certificate)
    let trust = SecTrust(
      try ServerTrust(
        host: "host.test", chain: chain, anchors: .certificates([authority.certificate])))
    #expect(status(trust) == errSecSuccess)
    SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "other.test"))
    #expect(status(trust) == errSecHostNameMismatch)
    #expect(
      SecTrustCopyCertificateChain(trust)
        == [leaf.certificate, authority.certificate].map(SecCertificate.init))
    // One policy that holds does not stand for all.
    SecTrustSetAnchorCertificates(trust, [])
    SecTrustSetPolicies(trust, [SecPolicyCreateBasicX509()])
    #expect(status(trust) == errSecNotTrusted)
    #expect(
      SecTrustCopyCertificateChain(trust)
        == [leaf.certificate, authority.certificate].map(SecCertificate.init))
  }

  @Test func onlyAnchorsThatWereNeverSetTrustNothing() throws {
    let trust = SecTrust(
      try ServerTrust(
        host: "host.test", chain: leaf.chain, anchors: .certificates([authority.certificate])))
    #expect(status(trust) == errSecSuccess)
    SecTrustSetAnchorCertificatesOnly(trust, true)
    #expect(status(trust) == errSecNotTrusted)
    SecTrustSetAnchorCertificatesOnly(trust, false)
    #expect(status(trust) == errSecSuccess)
  }

  /// The common name, or what comes nearest.
  @Test func aCertificateHasANameForPeople() throws {
    let named = try authority.issue(commonName: "Ann’s server", names: [.dns("host.test")])
    #expect(SecCertificateCopySubjectSummary(SecCertificate(named.certificate)) == "Ann’s server")
    #expect(SecCertificateCopySubjectSummary(SecCertificate(leaf.certificate)) == "host.test")
    #expect(SecCertificateCopySubjectSummary(anchor) == authority.certificate.commonName)
  }

  /// RFC 5280 §4.1.2.6 allows an empty subject.
  @Test(
    arguments: [
      ([], nil), ([.names("DNS:a.test,DNS:b.test")], "a.test"), ([.names("email:me@a.test")], "me@a.test"),
      ([.names("email:me@a.test,IP:192.0.2.1")], "192.0.2.1"), ([.names("URI:http://a.test/")], nil),
    ] as [([TestExtension], String?)])
  func aCertificateWithoutASubject(extensions: [TestExtension], name: String?) throws {
    let certificate = try StatusAuthority().issue("", extensions).certificate.parsed()
    #expect(certificate.subject.isEmpty)
    #expect(SecCertificateCopySubjectSummary(SecCertificate(certificate)) == name)
  }
}
