// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Glibc
import Testing

/// The files of `Fixtures/tls`, which other programs made, and servers of other makes are given.
@Suite struct FixtureTests {
  private func file(_ name: String) throws -> [UInt8] {
    let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Fixtures/tls/" + name
    let stream = try #require(fopen(path, "r"), "\(path)")
    defer { fclose(stream) }
    return [UInt8](unsafeUninitializedCapacity: 100_000) { buffer, count in
      count = fread(buffer.baseAddress, 1, buffer.count, stream)
    }
  }

  private func identity(_ name: String) throws -> TLSIdentity {
    try TLSIdentity(chainPEM: file(name + ".pem"), keyPEM: file(name + ".key"))
  }

  @Test(
    arguments: [
      ("server", "localhost", nil), ("server", "127.0.0.1", nil), ("server", "::1", nil),
      ("server", "elsewhere.test", .wrongHost), ("expired", "localhost", .expired),
      ("wrong-host", "localhost", .wrongHost), ("wrong-host", "elsewhere.test", nil),
      ("self-signed", "localhost", .selfSigned),
    ] as [(String, String, TrustFailure.Reason?)])
  func eachIsWhatItsNameSays(name: String, host: String, reason: TrustFailure.Reason?) throws {
    let anchors = try Certificate.bundle(pem: file("ca.pem"))
    let client = try TLSContext(
      client: TLSClientConfiguration(anchors: .certificates(anchors), verification: .manual))
    let pair = try EnginePair(client: client, server: TLSContext(server: identity(name)), host: host)
    try pair.handshake()
    #expect(pair.client.verificationFailure?.reason == reason)
  }

  @Test func theArchiveHoldsTheClient() throws {
    let archive = try file("client.p12")
    let read = try TLSIdentity(pkcs12: archive, password: "bluebonnet")
    #expect(read.certificate == (try identity("client").certificate))
    #expect(read.privateKey == (try identity("client").privateKey))
    #expect(read.chain.last == (try Certificate(pem: file("ca.pem"))))
    let error = #expect(throws: TLSError.self) { try TLSIdentity(pkcs12: archive, password: "bluebonnets") }
    #expect(error?.code == .wrongPassword)
    #expect(error?.description == "the password does not open the archive, or it is damaged")
    let missing = #expect(throws: TLSError.self) { try TLSIdentity(pkcs12: archive, password: "") }
    #expect(missing?.code == .wrongPassword)
    #expect(missing?.description == "the archive needs a password, or is damaged")
  }

  @Test func anchorsComeFromAFileToo() throws {
    let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Fixtures/tls/ca.pem"
    let client = try TLSContext(client: TLSClientConfiguration(anchors: .file(path)))
    let pair = try EnginePair(client: client, server: TLSContext(server: identity("server")))
    try pair.handshake()
    #expect(pair.client.verificationFailure == nil)
  }
}
