// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetURLLoading
import Testing

@Suite struct SecIdentityTests {
  /// A client's certificate with its key and its authority, which another program packed.
  private let archive: Data

  init() throws {
    let fixtures = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/Fixtures/tls/"
    archive = try Data(contentsOf: URL(filePath: fixtures + "client.p12"))
  }

  private func read(_ options: [String: Any]) -> (status: OSStatus, items: [[String: Any]]?) {
    var items: [[String: Any]]?
    let status = SecPKCS12Import(archive, options, &items)
    return (status, items)
  }

  @Test func anArchiveGivesAnIdentity() throws {
    let (status, items) = read([kSecImportExportPassphrase as String: "bluebonnet"])
    #expect(status == errSecSuccess)
    let item = try #require(items?.first)
    let identity = try #require(item[kSecImportItemIdentity as String] as? SecIdentity)
    let chain = try #require(item[kSecImportItemCertChain] as? [SecCertificate])
    let trust = try #require(item[kSecImportItemTrust] as? SecTrust)
    #expect(chain.count == 2)
    #expect(SecTrustGetCertificateAtIndex(trust, 0) == chain.first)

    var certificate: SecCertificate?
    var key: SecKey?
    #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
    #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
    let (own, secret) = (try #require(certificate), try #require(key))
    #expect(own == chain.first)
    #expect(SecKeyCopyPublicKey(secret) == SecCertificateCopyKey(own))
    #expect(secret != SecCertificateCopyKey(own))
    // The same, but for the authority that came along.
    let made = try #require(SecIdentityCreate(nil, own, secret))
    #expect(made.identity.privateKey == identity.identity.privateKey)
    #expect(identity.identity.chain.count == 2 && made.identity.chain.count == 1)
  }

  @Test func whatTheArchiveDoesNotOpenByIsSaid() {
    #expect(read([kSecImportExportPassphrase: "bluebonnets"]).status == errSecAuthFailed)
    #expect(read([kSecImportExportPassphrase: ""]).status == errSecAuthFailed)
    #expect(read([:]).status == errSecPassphraseRequired)
    #expect(read([kSecImportExportPassphrase: 7]).status == errSecParam)
    #expect(read([:]).items == nil)
    var items: [[String: Any]]?
    for count in [0, 1, 20, archive.count / 2, archive.count - 1] {
      let broken = archive.prefix(count)
      #expect(SecPKCS12Import(broken, [kSecImportExportPassphrase: "bluebonnet"], &items) == errSecDecode)
    }
    #expect(items == nil)
  }

  @Test func aKeyOfAnotherCertificateMakesNone() throws {
    let authority = try CertificateAuthority()
    let (one, other) = (
      try authority.issue(names: [.dns("a.test")]), try authority.issue(names: [.dns("b.test")])
    )
    let certificate = SecCertificate(one.certificate)
    #expect(SecIdentityCreate(nil, certificate, SecKey(one.privateKey)) != nil)
    #expect(SecIdentityCreate(nil, certificate, SecKey(other.privateKey)) == nil)
    #expect(SecIdentityCreate(nil, certificate, SecKey(one.certificate.publicKey)) == nil)
  }

  /// What is sent beside the identity's own certificate.
  @Test func theCertificatesOfACredential() throws {
    let (_, items) = read([kSecImportExportPassphrase as String: "bluebonnet"])
    let identity = try #require(items?.first?[kSecImportItemIdentity as String] as? SecIdentity)
    var found: SecCertificate?
    SecIdentityCopyCertificate(identity, &found)
    let own = try #require(found)
    let came = URLCredential(identity: identity, certificates: nil, persistence: .forSession)
    #expect(came.certificates.count == 1 && !came.certificates.contains(own))
    #expect(came.identity != nil && came.user == nil && !came.hasPassword)
    let other = SecCertificate(try CertificateAuthority().certificate)
    let named = URLCredential(identity: identity, certificates: [own, other], persistence: .none)
    #expect(named.certificates == [other] && named.persistence == .none)
    #expect(URLCredential(identity: identity, certificates: [], persistence: .none).certificates == [])
    #expect(URLCredential(user: "a", password: "b", persistence: .none).certificates == [])
  }
}
