// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL
import Testing

@testable import BluebonnetTLS

/// The subject is found where OpenSSL finds it, and nothing is read that is not there.
@Suite struct CertificateOutlineTests {
  private func subject(_ certificate: Certificate) -> [UInt8]? {
    derBytes { i2d_X509_NAME(X509_get_subject_name(certificate.x509), $0) }
  }

  @Test func theSubjectIsFound() throws {
    var count = 0
    for row in LimboTests.cases {
      for pem in row.trusted_certs + [row.peer_certificate] {
        guard let certificate = try? Certificate(pem: pem) else { continue }
        let der = certificate.der
        let outline = try #require(CertificateOutline(der), "\(row.id)")
        #expect(Array(der[outline.subject]) == subject(certificate), "\(row.id)")
        count += 1
      }
    }
    #expect(count > 100)
  }

  @Test func whatIsCutShortOrGoesOnIsNone() throws {
    let der = try Shared.identity.get().certificate.der
    for count in 0..<der.count { #expect(CertificateOutline(Array(der[..<count])) == nil) }
    #expect(CertificateOutline(der + [0]) == nil)
    #expect(CertificateOutline(der + [0], hasMore: true) != nil)
  }

  /// Any byte, any value: at worst a range within the bytes.
  @Test func damageIsSurvived() throws {
    let der = try Shared.identity.get().certificate.der
    for index in der.indices {
      for value: UInt8 in [0x00, 0x01, 0x30, 0x7F, 0x80, 0x84, 0xFF] {
        var damaged = der
        damaged[index] = value
        guard let outline = CertificateOutline(damaged) else { continue }
        #expect(outline.subject.upperBound <= damaged.count)
      }
    }
  }
}
