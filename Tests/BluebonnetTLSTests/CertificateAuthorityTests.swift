// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct CertificateAuthorityTests {
  @Test func serialNumbersDiffer() throws {
    let authority = try Shared.authority.get()
    let numbers = try (0..<5).map { _ in try authority.issue(names: [.dns("a.test")]).certificate.serialNumber
    }
    #expect(Set(numbers).count == 5)
  }

  @Test(arguments: ["", "a,DNS:evil.test", "a b", "a\n", "ä.test"])
  func namesThatWouldBecomeSomethingElseAreRefused(name: String) throws {
    let authority = try Shared.authority.get()
    let error = #expect(throws: TLSError.self) { try authority.issue(names: [.dns(name)]) }
    #expect(error?.code == .invalidConfiguration)
    #expect(throws: TLSError.self) { try authority.issue(names: [.address(name)]) }
  }

  @Test func aNameIsAnAddressIfItReadsAsOne() {
    #expect(SubjectName("127.0.0.1") == .address("127.0.0.1"))
    #expect(SubjectName("::1") == .address("::1"))
    #expect(SubjectName("1.2.3") == .dns("1.2.3"))
    #expect(SubjectName("localhost") == .dns("localhost"))
  }
}
