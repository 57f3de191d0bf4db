// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetURLLoading
import Testing

/// Policies, dates, results and keys.
@Suite struct SecTrustEvaluationTests {
  private let authority: CertificateAuthority
  private let leaf: TLSIdentity

  init() throws {
    authority = try CertificateAuthority()
    leaf = try authority.issue(names: [.dns("host.test")])
  }

  private func trust(_ identity: TLSIdentity? = nil, host: String = "host.test") throws -> SecTrust {
    SecTrust(
      try ServerTrust(
        host: host, chain: (identity ?? leaf).chain, anchors: .certificates([authority.certificate])))
  }

  private func status(_ trust: SecTrust) -> OSStatus {
    var error: (any Error)?
    return SecTrustEvaluateWithError(trust, &error) ? errSecSuccess : (error as? SecTrustError)?.status ?? -1
  }

  private func result(_ trust: SecTrust) -> SecTrustResultType {
    var result = SecTrustResultType.otherError
    #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
    return result
  }

  @Test func withoutPoliciesTheHostIsCheckedStill() throws {
    let other = try trust(host: "other.test")
    SecTrustSetPolicies(other, [])
    #expect(status(other) == errSecHostNameMismatch)
    SecTrustSetPolicies(other, SecPolicyCreateBasicX509())
    #expect(status(other) == errSecSuccess)
    SecTrustSetPolicies(other, [])
    #expect(status(other) == errSecHostNameMismatch)
    var made: SecTrust?
    SecTrustCreateWithCertificates([SecCertificate(leaf.certificate)], nil, &made)
    let plain = try #require(made)
    SecTrustSetAnchorCertificates(plain, [SecCertificate(authority.certificate)])
    SecTrustSetPolicies(plain, [])
    #expect(status(plain) == errSecSuccess)
  }

  /// A leaf for one end, by what its certificate says that it may be used for.
  @Test(arguments: ["clientAuth", "serverAuth", "clientAuth,serverAuth", "codeSigning", nil])
  func policiesMeanWhatTheySay(use: String?) throws {
    let trust = try trust(authority.issue(names: [.dns("host.test")], uses: use))
    for (policy, isGood) in [
      (SecPolicyCreateSSL(true, "host.test"), use?.contains("serverAuth") ?? true),
      (SecPolicyCreateSSL(false, nil), use?.contains("clientAuth") ?? true),
      (SecPolicyCreateSSL(false, "host.test"), use?.contains("clientAuth") ?? true),
      (SecPolicyCreateSSL(false, "other.test"), false), (SecPolicyCreateBasicX509(), true),
    ] {
      SecTrustSetPolicies(trust, policy)
      #expect((status(trust) == errSecSuccess) == isGood)
    }
  }

  @Test func theDateIsWhatOneSays() throws {
    let trust = try trust()
    let certificate = SecCertificate(leaf.certificate)
    for (date, expected) in [
      (certificate.notBefore.addingTimeInterval(1), errSecSuccess),
      (certificate.notAfter.addingTimeInterval(-1), errSecSuccess),
      (certificate.notBefore.addingTimeInterval(-86400), errSecCertificateNotValidYet),
      (certificate.notAfter.addingTimeInterval(1), errSecCertificateExpired), (Date(), errSecSuccess),
      (Date(timeIntervalSince1970: -1e9), errSecCertificateNotValidYet),
    ] {
      #expect(SecTrustSetVerifyDate(trust, date) == errSecSuccess)
      #expect(result(trust) == .invalid)
      #expect(status(trust) == expected)
    }
    for seconds in [Double.nan, .infinity, -1e300] {
      #expect(SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: seconds)) == errSecParam)
    }
    let expired = try self.trust(authority.issue(names: [.dns("host.test")], validity: .expired))
    #expect(status(expired) == errSecCertificateExpired)
    let own = try #require(SecTrustGetCertificateAtIndex(expired, 0))
    SecTrustSetVerifyDate(expired, own.notBefore.addingTimeInterval(1))
    // The authority is younger.
    #expect(status(expired) == errSecCertificateNotValidYet)
  }

  @available(*, deprecated)
  @Test func resultsAreKept() throws {
    let trust = try trust()
    #expect(result(trust) == .invalid)
    var found = SecTrustResultType.invalid
    #expect(SecTrustEvaluate(trust, &found) == errSecSuccess)
    #expect(found == .unspecified && result(trust) == .unspecified)
    SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "other.test"))
    #expect(result(trust) == .invalid)
    #expect(SecTrustEvaluate(trust, &found) == errSecSuccess)
    #expect(found == .recoverableTrustFailure && result(trust) == .recoverableTrustFailure)
    #expect(SecTrustCopyPublicKey(trust) == SecTrustCopyKey(trust))
  }

  @Test func keysHaveAFormForOthers() throws {
    func bytes(_ key: SecKey) throws -> Data {
      var error: (any Error)?
      let data = SecKeyCopyExternalRepresentation(key, &error)
      #expect(error == nil)
      return try #require(data)
    }

    let elliptic = try PrivateKey(generating: .ellipticP256)
    let point = try bytes(SecKey(elliptic.publicKey))
    // The point is the end of SubjectPublicKeyInfo, uncompressed.
    #expect(point.count == 65 && point.first == 4)
    #expect(elliptic.publicKey.der.suffix(65).elementsEqual(point))
    let secret = try bytes(SecKey(elliptic))
    #expect(secret.count == 97 && secret.starts(with: point))

    let rsa = try PrivateKey(generating: .rsa(bits: 2048))
    let pair = try bytes(SecKey(rsa.publicKey))
    // RSAPublicKey is what the bit string in SubjectPublicKeyInfo holds.
    #expect(pair.first == 0x30 && rsa.publicKey.der.suffix(pair.count).elementsEqual(pair))
    #expect(try PrivateKey(der: [UInt8](bytes(SecKey(rsa)))) == rsa)

    var error: (any Error)?
    #expect(SecKeyCopyExternalRepresentation(SecKey(PublicKey(der: [1, 2, 3])), &error) == nil)
    #expect((error as? SecKeyError)?.status == errSecUnsupportedKeyFormat)
    #expect(SecKeyCopyExternalRepresentation(SecKey(PublicKey(der: [])), nil) == nil)
  }
}
