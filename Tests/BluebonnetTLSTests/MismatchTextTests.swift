// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetTLS

@Suite struct MismatchTextTests {
  private func refusal(of names: [SubjectName], host: String) throws -> TrustFailure? {
    let identity = try Shared.authority.get().issue(names: names)
    return try ServerTrust(
      host: host, chain: identity.chain, anchors: .certificates([Shared.authority.get().certificate])
    ).failure
  }

  @Test(
    arguments: [
      ([], "the certificate has no name of a host"),
      (["a.test"], "the certificate is for a.test, not for b.test"),
      (["a.test", "192.0.2.1"], "the certificate is for a.test and 192.0.2.1, not for b.test"),
      (
        ["1.test", "2.test", "3.test", "4.test"],
        "the certificate is for 1.test, 2.test, 3.test and 4.test, not for b.test"
      ),
      (
        (1...1_000).map { "\($0).test" },
        "the certificate is for 1.test, 2.test, 3.test, 4.test and 996 more, not for b.test"
      ),
    ] as [([String], String)])
  func namesAreTold(names: [String], words: String) throws {
    let failure = try #require(try refusal(of: names.map(SubjectName.init), host: "b.test"))
    #expect(failure.reason == .wrongHost)
    #expect(failure.text == "hostname mismatch: \(words)")
  }

  /// What a terminal would take for a command. No authority of ours certifies such a name: it is written over another one.
  @Test func namesArePrintable() throws {
    var der = try Shared.authority.get().issue(names: [.dns("aXYZ.test")]).certificate.der
    // Behind the common name.
    let place = try #require(der.indices.last { der[$0...].starts(with: "XYZ.test".utf8) })
    der.replaceSubrange(place..<place + 3, with: [0x1B, 0x0A, 0x7F])
    let certificate = try Certificate(der: der)
    let failure = TrustFailure(reason: .wrongHost, code: 62, text: "hostname mismatch")
    #expect(
      failure.naming(certificate, for: "b.test").text
        == "hostname mismatch: the certificate is for a???.test, not for b.test")
  }

  @Test func longNamesAreCut() throws {
    let failure = try #require(
      try refusal(of: [.dns(String(repeating: "a", count: 5_000))], host: "b.test"))
    #expect(failure.text.utf8.count < 400)
  }

  /// By the handshake's own verdict, too.
  @Test func handshakesTellNames() throws {
    let client = try Shared.client { $0.verification = .manual }
    let pair = try EnginePair(client: client, server: Shared.server(), host: "b.test")
    try pair.handshake()
    #expect(
      pair.client.verificationFailure?.text == """
        hostname mismatch: the certificate is for localhost, *.example.test and 127.0.0.1, not for b.test
        """)
  }
}
