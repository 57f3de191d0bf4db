// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct CertificateTests {
  @Test func encodingsRoundTrip() throws {
    let certificate = try Shared.identity.get().certificate
    let viaDER = try Certificate(der: certificate.der)
    let viaPEM = try Certificate(pem: certificate.pem)
    #expect(viaDER == certificate)
    #expect(viaPEM == certificate)
    #expect(Set([certificate, viaDER, viaPEM]).count == 1)
    #expect(viaDER.der == certificate.der)
    #expect(certificate.pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    #expect(certificate != (try Shared.authority.get().certificate))
  }

  @Test func everyTruncationAndAnyAppendixOfTheEncodingIsRefused() throws {
    let der = try Shared.identity.get().certificate.der
    for count in 0..<der.count {
      let error = #expect(throws: TLSError.self) { try Certificate(der: Array(der[..<count])) }
      #expect(error?.code == .invalidCertificate)
    }
    #expect(throws: TLSError.self) { try Certificate(der: der + [0]) }
  }

  @Test func aBundleGivesAllCertificatesAndNothingElse() throws {
    let identity = try Shared.identity.get()
    let authority = try Shared.authority.get().certificate
    let text =
      "some words\n" + identity.certificate.pem + "\n# more words\n" + identity.privateKey.pem + authority.pem
    #expect(try Certificate.bundle(pem: Array(text.utf8)) == [identity.certificate, authority])
  }

  @Test(arguments: [
    "", "no certificate here", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
  ])
  func aBundleWithoutOrWithBrokenCertificatesIsRefused(text: String) throws {
    #expect(throws: TLSError.self) { try Certificate.bundle(pem: Array(text.utf8)) }
    let good = try Shared.identity.get().certificate.pem
    if text.contains("BEGIN") {
      #expect(throws: TLSError.self) { try Certificate.bundle(pem: Array((good + text).utf8)) }
    }
  }

  @Test func fieldsAreReadable() throws {
    let certificate = try Shared.identity.get().certificate
    #expect(certificate.commonName == "localhost")
    #expect(certificate.subjectSummary == "localhost")
    #expect(certificate.subject == "CN=localhost")
    #expect(certificate.issuer == "CN=Bluebonnet Test Authority")
    #expect(
      certificate.alternativeNames == [.dns("localhost"), .dns("*.example.test"), .address("127.0.0.1")])
    #expect(certificate.notAfter - certificate.notBefore == 90 * 86_400 + 3600)
    #expect(certificate.sha256.count == 32)
    #expect(certificate.serialNumber.count == 38)
    #expect(!certificate.isAuthority)
    #expect(!certificate.isSelfIssued)
    #expect(try Shared.authority.get().certificate.isAuthority)
    #expect(try Shared.authority.get().certificate.isSelfIssued)
  }

  /// The names are `localhost`, `*.example.test` and `127.0.0.1`.
  @Test(arguments: [
    ("localhost", SubjectName.dns("localhost")), ("LOCALHOST.", .dns("localhost")),
    ("a.example.test", .dns("*.example.test")), ("127.0.0.1", .address("127.0.0.1")),
    ("a.b.example.test", nil), ("example.test", nil), (".example.test", nil),
    ("", nil),
    ("local", nil), ("localhost\0", nil), ("127.0.0.2", nil), ("[::1]", nil), ("::ffff:127.0.0.1", nil),
  ])
  func theNameThatAHostMatches(host: String, name: SubjectName?) throws {
    #expect(try Shared.identity.get().certificate.alternativeName(matching: host) == name)
  }

  @Test func publicKeysOfCertificateAndPrivateKeyAgree() throws {
    let identity = try Shared.identity.get()
    #expect(identity.certificate.publicKey == identity.privateKey.publicKey)
    #expect(identity.certificate.publicKey != (try Shared.authority.get().privateKey.publicKey))
    #expect(!identity.certificate.publicKey.der.isEmpty)
  }
}
