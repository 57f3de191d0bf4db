// SPDX-License-Identifier: MIT
import Bluebonnet
import Testing

@testable import bonnet

@Suite struct ClientCertificateTests {
  private func parsed(_ arguments: String...) throws -> ClientCertificate {
    let command = try CommandLineParser.command(
      arguments,
      files: BodyFiles { path throws(CommandError) in throw CommandError(.readFailed, path) })
    return try #require(command.operations.first).security.certificate
  }

  /// The name, and the password behind it.
  @Test(
    arguments: [
      ("file.pem", "file.pem", nil), ("file.pem:secret", "file.pem", "secret"),
      ("file.pem:", "file.pem", ""), ("file:a:b", "file", "a:b"), ("a\\:b:c", "a:b", "c"),
      ("file:\u{301}p", "file", "\u{301}p"), ("a\\\\:b", "a\\", "b"), ("a\\b:c", "a\\b", "c"),
      ("a\\", "a\\", nil), (":c", "", "c"),
    ] as [(String, String, String?)])
  func names(text: String, path: String, password: String?) throws {
    let certificate = try parsed("--cert", text)
    #expect(certificate.path == path && certificate.password == password)
    #expect(try parsed("-E", text) == certificate)
  }

  @Test func addressesOfProvidersHaveColons() throws {
    #expect(try parsed("--cert", "pkcs11:token=a;object=b").form == "ENG")
    let certificate = try parsed("--cert", "a.pem", "--key", "pkcs11:token=a", "--pass", "1234")
    #expect(certificate.keyPath == "pkcs11:token=a" && certificate.keyForm == "ENG")
    #expect(certificate.password == "1234")
  }

  @Test func whoIsLastCounts() throws {
    #expect(try parsed("--pass", "a", "--cert", "f:b").password == "b")
    #expect(try parsed("--cert", "f:b", "--pass", "a").password == "a")
  }

  @Test(
    arguments: [
      ["PEM", "PEM"], ["BOGUS", "PEM"], ["PEM", "BOGUS"], ["ENG", "PEM"], ["PEM", "P12"], ["PEM", "ENG"],
    ])
  func whatCannotBeReadIsStatus58(forms: [String]) {
    var certificate = ClientCertificate()
    (certificate.path, certificate.form, certificate.keyPath, certificate.keyForm) = (
      "a.pem", forms[0], "a.key", forms[1]
    )
    let error = #expect(throws: CommandError.self) {
      try certificate.credential { _ throws(CommandError) in Array("nothing".utf8) }
    }
    #expect(error?.status == .badClientCertificate)
  }

  @Test func withoutOneThereIsNothing() throws {
    #expect(try ClientCertificate().credential { _ throws(CommandError) in [] } == nil)
  }
}
