import BluebonnetTLS
import Testing

@Suite struct TLSIdentityTests {
  @Test func aKeyOfAnotherCertificateIsRefused() throws {
    let certificate = try Shared.identity.get().certificate
    let stranger = try PrivateKey(generating: .ellipticP256)
    let error = #expect(throws: TLSError.self) {
      try TLSIdentity(chain: [certificate], privateKey: stranger)
    }
    #expect(error?.code == .invalidKey)
    #expect(throws: TLSError.self) { try TLSIdentity(chain: [], privateKey: stranger) }
  }

  @Test func readsWhatServersKeepInFiles() throws {
    let identity = try Shared.authority.get().issueAuthority().issue(names: [.dns("localhost")])
    let read = try TLSIdentity(
      chainPEM: Array(identity.chainPEM.utf8), keyPEM: Array(identity.privateKey.pem.utf8))
    #expect(read == identity)
    #expect(read.chain.count == 2)
  }

  @Test func brokenArchivesAreRefused() throws {
    let error = #expect(throws: TLSError.self) { try TLSIdentity(pkcs12: [1, 2, 3], password: "") }
    #expect(error?.code == .invalidCertificate)
  }
}
